import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { operatorVerb, tenantOption } from '../../../src/cli/operator-verb.ts';
import { fakeContext } from '../../support/cli-context.ts';

/** Counts the letters of a word, and is alarmed by long ones. */
const addCount = operatorVerb({
  name: 'count',
  description: 'count letters',
  example: 'Example:\n  lockstep count word',
  takes: (command) => tenantOption(command).argument('<word>'),
  run: async (_, word: string, options: { readonly tenant?: string }) => ({
    ...{ shape: 'count/1' as const, letters: word.length },
    of: word,
    tenant: options.tenant ?? null,
  }),
  effect: 'reads',
  lines: ({ letters, of }) => [`${letters} letters${of === 'a\nb' ? `: ${of}` : ''}`],
  needsAttention: ({ letters }) => letters > 4,
  hasFailed: ({ letters }) => letters > 8,
});

async function run(...args: readonly string[]) {
  const { context, out } = fakeContext();
  const program = new Command();
  addCount(program, context);
  await program.parseAsync(['count', ...args], { from: 'user' });
  return { out, exitCode: context.exitCode };
}

describe('an operator’s verb', () => {
  it('tells its answer to a person', async () => {
    expect(await run('four')).toEqual({ out: ['4 letters'], exitCode: 0 });
  });

  it('gives its answer to a program', async () => {
    const { out } = await run('four', '--tenant', 'acme', '--json');
    expect(out.map((line) => JSON.parse(line))).toEqual([{ shape: 'count/1', letters: 4, of: 'four', tenant: 'acme' }]);
  });

  it('tells a line as one, whatever stands in it', async () => {
    expect((await run('a\nb')).out).toEqual(['3 letters: a\\u000ab']);
  });

  it('ends with 2 when somebody is needed', async () => {
    expect((await run('lengthy')).exitCode).toBe(2);
  });

  it('ends with 1 when it failed, and says its answer all the same', async () => {
    expect(await run('overlengthy')).toEqual({ out: ['11 letters'], exitCode: 1 });
  });
});
