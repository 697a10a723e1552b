import { writeSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import { countTests } from './count-reporter.ts';

const STDOUT = 1;
const WIDTH = 40;

/** The subject of each attack file, by the points of the threat model. */
const POINTS: Readonly<Record<string, string>> = {
  'answer-types': 'answers that choose their parser',
  canaries: 'what errors tell',
  'change-events': 'change events that cost much',
  'child-environments': 'a shell’s secrets in other programs',
  'costly-json': 'JSON that is costly by its shape',
  'crm-references': 'references in values',
  'database-roles': 'roles of PostgreSQL',
  'database-writers': 'who writes the database’s tables',
  'endless-http': 'HTTP without an end',
  'hostile-remotes': 'both remotes of a tenant',
  'local-surfaces': 'simulators and probes from a browser',
  'misread-words': 'words that two read otherwise',
  'node-program': 'a false Node program',
  'operators-log': 'the operators’ audit log',
  'outbound-messages': 'messages without end',
  'private-addresses': 'addresses of neighbours',
  'private-files': 'files that others may read',
  probes: 'health and metrics',
  'record-ids': 'ids of records',
  'remote-numbers': 'numbers of remotes',
  'salesforce-answers': 'Salesforce: malformed answers',
  'salesforce-bodies': 'Salesforce: bodies without end',
  'salesforce-pages': 'Salesforce: lists without end',
  'salesforce-token': 'Salesforce: its session token',
  'slow-senders': 'slow senders, and bodies unasked for',
  'temporal-program': 'a false Temporal program',
  'tenant-names': 'names of tenants tried out',
  'tenant-secrets': 'secrets of others',
  'tenant-share': 'a worker full of one tenant',
  'vendor-answers': 'vendor: malformed answers',
  'vendor-bodies': 'vendor: bodies without end',
  'vendor-ids': 'vendor: ids that are none',
  'vendor-numbers': 'vendor: numbers without end',
  'vendor-pages': 'vendor: lists without end',
  'webhook-flood': 'a flood of one tenant’s senders',
  'worker-failures': 'failures of any shape',
};

/** Prints a table of the attacks at the end of `npm run attack`, and the verdict alone on the last line. */
export default class AttackReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const rows = modules.map((module) => {
      const { passed, failed } = countTests([module], 0);
      const file = module.relativeModuleId.replace(/^.*\/|\.test\.ts$/g, '');
      return rowOf(POINTS[file] ?? file, passed + failed, failed);
    });
    const { passed, failed } = countTests(modules, errors.length);
    const table = [rowOf('attack on', 'cases', 'through'), ...rows.sort()].join('\n');
    const verdict = `${passed + failed} cases, ${failed} through`;
    process.once('exit', () => writeSync(STDOUT, `${table}\n${verdict}\n`));
  }
}

function rowOf(name: string, cases: number | string, through: number | string): string {
  return `${name.padEnd(WIDTH)}${String(cases).padStart(7)}${String(through).padStart(9)}`;
}
