import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { buildProgram, runCli } from '../../../playground/program.ts';
import { ownBuild } from '../../../src/platform/build.ts';
import { fakeContext } from '../../support/cli-context.ts';

const { commands } = await buildProgram(fakeContext().context);

describe('the command line', () => {
  const verbs = commands.map((command) => command.name());

  it('has the verbs that scripts of users call', () => {
    const expected = ['up', 'worker', 'serve', 'migrate', 'simulators', 'sync', 'link', 'status', 'resume'];
    expect(verbs).toEqual(expect.arrayContaining(expected));
  });

  it('has a verb of each file in src/cli/commands', () => {
    const files = readdirSync(new URL('../../../src/cli/commands/', import.meta.url)).map((file) =>
      file.replace(/\.ts$/, ''),
    );
    const missing = files.filter((file) => !verbs.includes(file));
    expect(
      missing.map(
        (file) =>
          `${file}: no verb of this name is in CONNECTOR_VERBS of src/cli/connector-verbs.ts; file and verb have one name`,
      ),
    ).toEqual([]);
  });

  it.each(verbs)('explains %s with an example, and that is no failure', async (verb) => {
    const { context, out } = fakeContext();
    await expect(runCli([verb, '--help'], context)).resolves.toBe(0);
    expect(out.join('\n')).toMatch(new RegExp(`Usage: lockstep ${verb}`));
    expect(out.join('\n')).toMatch(/Examples?:\n\s+\S+/);
  });

  const children = commands.flatMap((parent) => parent.commands.map((child) => [parent.name(), child.name()] as const));

  it.each(children)('explains %s %s with an example', async (parent, child) => {
    const { context, out } = fakeContext();
    await expect(runCli([parent, child, '--help'], context)).resolves.toBe(0);
    expect(out.join('\n')).toMatch(new RegExp(`Usage: lockstep ${parent} ${child}`));
    expect(out.join('\n')).toMatch(/Examples?:\n\s+\S+/);
  });

  it('prints its version and build', async () => {
    const { context, out } = fakeContext();
    for (const option of ['--version', '-V']) await expect(runCli([option], context)).resolves.toBe(0);
    const { version, buildId } = await ownBuild();
    expect(out).toEqual(Array(2).fill(`${version} build ${buildId}`));
    expect(version).toBe(packageJson.version);
  });

  it('explains a verb also as "help VERB"', async () => {
    const { context, out } = fakeContext();
    await expect(runCli(['help', 'status'], context)).resolves.toBe(0);
    expect(out.join('\n')).toMatch(/Usage: lockstep status/);
  });

  it.each([
    [[], /Usage: lockstep/],
    [['dance'], /unknown command 'dance'/],
    [['dance', '--help'], /unknown command 'dance'/],
    [['help', 'dance'], /unknown command 'dance'/],
    [['statu', '-h'], /Did you mean status\?/],
    [['up', '--onse'], /Did you mean --once\?/],
    [['up', '--vendor-port', '70000'], /must be a port from 0 to 65535/],
    [['sync'], /Give ids, or --all-parked/],
    [['sync', 'no id!'], /It is no id/],
    [['sync', '006Hs00001ABCDEIA4'], /last three characters do not fit/],
    [['sync', 'LO-1', '--wait', 'long'], /no number of seconds/],
    [['inbox', '--code', 'weather'], /The causes are/],
    [['inbox', 'retry'], /Give ids, or --all with --code/],
    [['inbox', 'retry', '--all'], /Give ids, or --all with --code/],
    [['inbox', 'retry', 'LO-1', '--code', 'conflict'], /Give ids, or --all with --code/],
    [['inbox', 'retry', '--limit', '0'], /no number from 1 to/],
    [['conflicts', 'resolve', 'LO-1', 'name'], /required option '--take/],
    [['conflicts', 'resolve', 'LO-1', 'no field!', '--take', 'crm'], /It is no name of a field/],
    [['explain', 'LO-1', '--field', 'no field!'], /It is no name of a field/],
    [['backfill', '--since', '2026-01-01', '--field', ''], /It is no name of a field/],
    [['plan', '--field', '1st'], /It is no name of a field/],
    [['tenants', 'dance'], /too many arguments|unknown command/],
    [['tenants', 'apply'], /missing required argument/],
    [['tenants', 'apply', 'none.yaml', '--prune'], /--prune goes with a folder/],
    [['link', '006Hs00001ABCDE'], /missing required argument/],
    [['keys', 'swap', 'acme'], /Allowed choices are rotate, confirm, abort, status, set/],
    [['keys', 'set', 'acme', 'a-key'], /too many arguments/],
    [['link', '001Hs00001ABCDE', 'LO-1'], /no id of an opportunity/],
    [['simulators', 'vendor', '--orders', 'many'], /must be a whole number from 0/],
    [['simulators', 'vendor', '--pace', '0'], /number of seconds above 0/],
    [['simulators', 'vendor', '--rotation', 'swap'], /Allowed choices are replace, overlap/],
    [['simulators', '--port', '0'], /are for one simulator: name it/],
    [['simulators', 'oracle'], /Allowed choices are vendor, salesforce/],
  ])('refuses %j as wrong usage', async (args, sentence) => {
    const { context, err } = fakeContext();
    await expect(runCli(args, context)).resolves.toBe(64);
    expect(err.join('\n')).toMatch(sentence);
  });

  it.each([
    [['migrate'], {}, /There is no database: set DATABASE_URL/],
    [['status'], {}, /^Nothing is running here, and there is no folder "tenants": run "npm start"/],
    [['status'], { LOCKSTEP_TENANTS: 'elsewhere' }, /elsewhere:1\D.*does not exist/],
    [['up'], {}, /The Temporal CLI is not there: run "npm start"/],
    [['up'], { LOCKSTEP_LOG_LEVEL: 'loud' }, /LOCKSTEP_LOG_LEVEL must be one of/],
    [['up', '--tenant', 'none.yaml'], { TEMPORAL_CLI: '/t' }, /none.yaml.*does not exist/],
  ])('fails %j with one sentence and no stack trace', async (args, env, sentence) => {
    const { context, err, out } = fakeContext(env);
    await expect(runCli(args, context)).resolves.toBe(1);
    expect(err.join('\n')).toMatch(sentence);
    expect(err.join('\n')).not.toMatch(/^\s+at /m);
    expect(out).toEqual([]);
  });

  it('shows where a failure came from to whoever asks', async () => {
    const { context, err } = fakeContext({ LOCKSTEP_LOG_LEVEL: 'debug' });
    await expect(runCli(['migrate'], context)).resolves.toBe(1);
    expect(err.join('\n')).toMatch(/^\s+at .*runtime\.ts/m);
  });
});
