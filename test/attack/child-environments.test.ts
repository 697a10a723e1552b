import { expect, test } from 'vitest';
import {
  programEnvironment,
  serviceEnvironment,
  simulatorEnvironment,
} from '../../src/dev/processes/environments.ts';

/** What stands in somebody's shell is none of the business of the programs that `npm start` runs. */

const PLAIN = { PATH: '/bin', HOME: '/home/a', LANG: 'C', LC_ALL: 'C', TZ: 'UTC', TMPDIR: '/tmp' };
const OF_SERVICES = {
  DATABASE_URL: 'postgres://u:p@127.0.0.1/db',
  PGPASSWORD: 'p',
  LOCKSTEP_HOME: '/h',
  LOCKSTEP_SEALING_KEY: 'file:/k',
  TEMPORAL_API_KEY: 'k',
  HTTPS_PROXY: 'http://u:p@proxy',
  NODE_OPTIONS: '--max-old-space-size=4096',
};
const NAMED = { ACME_VENDOR_KEY: 'k', acme_hook: 'h' };
const FOREIGN = {
  AWS_SECRET_ACCESS_KEY: 's',
  GITHUB_TOKEN: 's',
  NPM_TOKEN: 's',
  npm_config__authToken: 's',
  OTHER_VENDOR_KEY: 's',
  ACME_VENDOR_KEY_OLD: 's',
  LD_PRELOAD: '/tmp/evil.so',
  BASH_ENV: '/tmp/evil',
  XDATABASE_URL: 's',
  __proto__x: 's',
};
const ALL = { ...PLAIN, ...OF_SERVICES, ...NAMED, ...FOREIGN };
const TENANT_FILE = 'vendor: { apiKey: env:ACME_VENDOR_KEY }\nwebhooks: { path: "env:acme_hook" }\n';

test.each([
  ['the Temporal server', programEnvironment(ALL), PLAIN],
  ['a simulator', simulatorEnvironment(ALL), PLAIN],
  ['a worker', serviceEnvironment(ALL, TENANT_FILE), { ...PLAIN, ...OF_SERVICES, ...NAMED }],
  ['a worker of the demonstration', serviceEnvironment(ALL, ''), { ...PLAIN, ...OF_SERVICES }],
])('%s is told what it needs and no more', (_name, told, wanted) => {
  expect(told).toEqual(wanted);
});
