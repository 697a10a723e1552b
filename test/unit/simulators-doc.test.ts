import { readFileSync } from 'node:fs';
import { VIOLATION_RULES } from 'lockstep-simulators/testing';
import { expect, it } from 'vitest';
import { buildProgram } from '../../playground/program.ts';
import { fakeContext } from '../support/cli-context.ts';

const PAGE = readFileSync(new URL('../../simulators/docs/simulators.md', import.meta.url), 'utf8');
const VERSION = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

const firstCells = (pattern: RegExp): readonly (string | undefined)[] =>
  Array.from(PAGE.matchAll(pattern), ([, cell]) => cell).toSorted();

it('simulators/docs/simulators.md has a row of each flag of the command', async () => {
  const command = (await buildProgram(fakeContext().context)).commands.find((verb) => verb.name() === 'simulators');
  const flags = command?.options.map(({ long }) => long ?? '').toSorted();
  expect(firstCells(/^\| `(--[a-z-]+)` /gm)).toEqual(flags);
});

it('simulators/docs/simulators.md has a row of each rule of the strict sandbox', () => {
  expect(firstCells(/^\| `([a-z]+-[a-z]+)` /gm)).toEqual(Object.keys(VIOLATION_RULES).toSorted());
});

it('simulators/docs/simulators.md names the package as it is packed', () => {
  expect(PAGE).toContain(`lockstep-simulators-${VERSION}.tgz`);
});
