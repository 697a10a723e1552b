import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readOptions, type ScriptName } from '../../scripts/setup/script-options.mjs';
import { SCRIPTS } from '../../scripts/setup/scripts.mjs';

const ROOT = join(import.meta.dirname, '../..');
const BOOTSTRAP = join(ROOT, 'scripts', 'bootstrap.mjs');
const NAMES = Object.keys(SCRIPTS) as ScriptName[];
/** Verbs whose options are those of vitest, of the compiler, or of the command line. */
const OTHERS = ['up', 'test', 'attack', 'build', 'build:simulators', 'build:connector'];

/** The verbs that package.json's scripts begin with. */
function verbs(): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const found = Object.values<string>(scripts).flatMap((line) =>
    [...line.matchAll(/bootstrap\.mjs ([\w:]+)/g)].map(([, verb = '']) => verb),
  );
  return [...new Set(found)];
}

describe('the options of the scripts of package.json', () => {
  it('are reported, every one, and none that there is not', () => {
    expect(verbs().toSorted()).toEqual([...NAMES, ...OTHERS].toSorted());
  });

  it.each(NAMES)('%s shows an example and what it has', (name) => {
    const result = readOptions(name, ['--help']);
    const help = 'help' in result ? result.help : '';
    expect(help).toContain(`npm run ${SCRIPTS[name].example}`);
    for (const [option, { says }] of Object.entries<{ readonly says: string }>(SCRIPTS[name].options))
      expect(help).toMatch(new RegExp(`--${option}\\b.*${says}`));
  });

  it.each(NAMES)('%s takes its own example', (name) => {
    const [script, ...args] = SCRIPTS[name].example.split(' ');
    expect(script).toBe(name);
    expect(readOptions(name, args[0] === '--' ? args.slice(1) : args)).toHaveProperty('values');
  });

  it.each(NAMES.filter((name) => !('passesOn' in SCRIPTS[name])))(
    '%s refuses what it has not, in a sentence',
    (name) => {
      for (const args of [['--nonsense'], ['nonsense'], ['--nonsense=1']]) {
        const result = readOptions(name, args);
        expect('problem' in result ? result.problem : '').toMatch(/^["-]+nonsense"? is nothing that npm run .*\.$/);
      }
    },
  );

  it.each([
    [['--records', '12', '--kills=0'], { records: 12, kills: 0, quota: 200 }],
    [[], { records: 10_000, kills: 2, quota: 200 }],
    [['--records', 'many'], '--records takes a whole number from 10 on, not "many".'],
    [['--records', '1'], '--records takes a whole number from 10 on, not "1".'],
    [['--records'], '--records takes a whole number from 10 on, not "".'],
    [['--kills', '-1'], '--kills takes a whole number from 0 on, not "-1".'],
  ])('bench:backfill reads %j', (args, values) => {
    const result = readOptions('bench:backfill', args);
    expect('values' in result ? result.values : 'problem' in result ? result.problem : null).toEqual(values);
  });

  it('names, texts, switches and parts are read too', () => {
    expect(readOptions('bench:orders', ['--rotation', 'never'])).toEqual({
      problem: '--rotation takes replace or overlap, not "never".',
    });
    expect(readOptions('bench:orders', [])).toMatchObject({ values: { rotation: null, records: 500 } });
    const several = ['--only', 'lone', '--only', 'heap', '--json'];
    expect(readOptions('bench:engine', several)).toMatchObject({
      values: { only: ['lone', 'heap'], json: true },
    });
    expect(readOptions('bench:engine', ['--only', 'all'])).toHaveProperty('problem');
    expect(readOptions('fuzz:remotes', ['--minutes', '0.5', '--seed', 'x'])).toEqual({
      values: { minutes: 0.5, seed: 'x' },
    });
    expect(readOptions('fuzz:remotes', ['--minutes', '0'])).toHaveProperty('problem');
  });

  it('nothing is set up for help, nor for what is refused', () => {
    const run = (arg: string) => spawnSync(process.execPath, [BOOTSTRAP, 'fuzz:remotes', arg], { encoding: 'utf8' });
    expect(run('--help')).toMatchObject({
      status: 0,
      stderr: '',
      stdout: expect.stringContaining('--minutes N'),
    });
    expect(run('--nope')).toMatchObject({
      ...{ status: 64, stdout: '' },
      stderr:
        '--nope is nothing that npm run fuzz:remotes takes: it has --minutes, --seed (npm run fuzz:remotes -- --help).\n',
    });
  });

  it('are read in one place', () => {
    const files = ['bench', 'scripts', 'simulators', 'test'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(ROOT, folder, file)),
    );
    const own = files.filter(
      (file) => /\.(ts|mjs)$/.test(file) && /import \{[^}]*parseArgs/.test(readFileSync(file, 'utf8')),
    );
    expect(own).toEqual([join(ROOT, 'scripts', 'setup', 'script-options.mjs')]);
  });
});
