import { join, resolve } from 'node:path';
import { databaseAddress } from './database-address.ts';
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from './logger.ts';
import { generatedSecret, type Secret } from './secret.ts';
import type { SecretScope } from './secret-scope.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of one process, from its environment. Paths are absolute. */
export type Settings = {
  /** `DATABASE_URL`; null means the embedded server. Contains a password. */
  readonly databaseUrl: Secret | null;
  /** `LOCKSTEP_DATABASE_CONNECTIONS`: the largest number of connections of this process; null for the process's own default. */
  readonly databaseConnections: number | null;
  /** `LOCKSTEP_DATABASE_PREPARED`: whether to use prepared statements. */
  readonly databasePrepares: boolean;
  /** `LOCKSTEP_LANE`: whether records that change together share one workflow of the tenant (its lane) instead of having one each. */
  readonly usesLane: boolean;
  /** `LOCKSTEP_HOME`: folder for local state (default `.lockstep`). */
  readonly home: string;
  /** `LOCKSTEP_TENANTS`: tenant files and folders of them (default `tenants`). */
  readonly tenants: readonly string[];
  /**
   * What tenant files may refer to: secrets, environment variables and addresses (`LOCKSTEP_SECRETS`, `LOCKSTEP_TENANT_ENV`,
   * `LOCKSTEP_PRIVATE_ADDRESSES`).
   */
  readonly tenantSecrets: SecretScope;
  /** `LOCKSTEP_SEALING_KEY` as `file:PATH`: the file with the sealing keys (encryption keys); default `sealing.key` in the home. */
  readonly sealingKeyFile: string;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  readonly color: boolean;
  /** `LOCKSTEP_HOST`: address at which webhooks are received, and at which the console is served. */
  readonly host: string;
  /** `LOCKSTEP_OPS_HOST`: address at which health and metrics are served. */
  readonly opsHost: string;
  /** The webhook port; null if it is not set: the command that opens the port then uses its own default. */
  readonly webhookPort: number | null;
  readonly webhookOpsPort: number | null;
  readonly workerPort: number | null;
  readonly consolePort: number | null;
  /** `LOCKSTEP_CONSOLE`: the console's configuration file; null for none. */
  readonly consoleFile: string | null;
  /** `LOCKSTEP_NOTICES`: the file that says which notices go to which channel of operators; null for none. */
  readonly noticesFile: string | null;
  /** `LOCKSTEP_TEMPORAL_UI`: address of the Temporal UI; null to derive it from Temporal's address. */
  readonly temporalUi: string | null;
  /** `TEMPORAL_CLI`: path of the `temporal` command; null to search for it. */
  readonly temporalCli: string | null;
  /** `TEMPORAL_DEPLOYMENT_NAME` and `TEMPORAL_WORKER_BUILD_ID`: this worker's version; null without Worker Versioning. */
  readonly workerVersion: WorkerVersion | null;
};

/** A version of workers in Temporal's Worker Versioning. */
export type WorkerVersion = { readonly deploymentName: string; readonly buildId: string };

/** Thrown for unusable settings. The message lists each unusable setting with its repair. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly code = 'SETTINGS_INVALID';

  constructor(problems: readonly string[]) {
    super(`The environment cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

/** The environment of this process. No other file of the repository reads `process.env`. */
export function processEnvironment(): Environment {
  return process.env;
}

/** Whether the process colours its output: only on a terminal, and if NO_COLOR is not set. */
export function showsColor(env: Environment, terminal: boolean): boolean {
  return terminal && !env['NO_COLOR'];
}

/** Reads and checks all settings at once. Throws `SettingsError` with every problem. */
export function readSettings(
  env: Environment,
  context: { readonly cwd: string; readonly terminal: boolean },
): Settings {
  const problems: string[] = [];
  const home = resolve(context.cwd, env['LOCKSTEP_HOME'] || '.lockstep');
  const keyFile = sealingKeyFile(env, context.cwd, problems) ?? join(home, 'sealing.key');
  const settings: Settings = {
    databaseUrl: databaseUrl(env, problems),
    databaseConnections: connections(env, problems),
    databasePrepares: oneOf(env, 'LOCKSTEP_DATABASE_PREPARED', ['on', 'off'], 'on', problems) === 'on',
    usesLane: oneOf(env, 'LOCKSTEP_LANE', ['on', 'off'], 'on', problems) === 'on',
    home,
    tenants: listed(env['LOCKSTEP_TENANTS'] || 'tenants').map((path) => resolve(context.cwd, path)),
    tenantSecrets: {
      folders: listed(env['LOCKSTEP_SECRETS'] || join(home, 'secrets')).map((path) => resolve(context.cwd, path)),
      ownFiles: [keyFile],
      names: listed(env['LOCKSTEP_TENANT_ENV'] ?? ''),
      ...(refusesPrivate(env, problems) ? { publicOnly: true } : {}),
    },
    sealingKeyFile: keyFile,
    logLevel: oneOf(env, 'LOCKSTEP_LOG_LEVEL', LOG_LEVELS, 'info', problems),
    logFormat: oneOf(env, 'LOCKSTEP_LOG_FORMAT', LOG_FORMATS, context.terminal ? 'pretty' : 'json', problems),
    color: showsColor(env, context.terminal),
    host: env['LOCKSTEP_HOST'] || '127.0.0.1',
    opsHost: env['LOCKSTEP_OPS_HOST'] || '127.0.0.1',
    webhookPort: port(env, 'LOCKSTEP_WEBHOOK_PORT', problems),
    webhookOpsPort: port(env, 'LOCKSTEP_WEBHOOK_OPS_PORT', problems),
    workerPort: port(env, 'LOCKSTEP_WORKER_PORT', problems),
    consolePort: port(env, 'LOCKSTEP_CONSOLE_PORT', problems),
    consoleFile: env['LOCKSTEP_CONSOLE'] ? resolve(context.cwd, env['LOCKSTEP_CONSOLE']) : null,
    noticesFile: env['LOCKSTEP_NOTICES'] ? resolve(context.cwd, env['LOCKSTEP_NOTICES']) : null,
    temporalUi: webAddress(env, 'LOCKSTEP_TEMPORAL_UI', problems),
    temporalCli: env['TEMPORAL_CLI'] || null,
    workerVersion: workerVersion(env, problems),
  };
  if (problems.length > 0) throw new SettingsError(problems);
  return settings;
}

function databaseUrl(env: Environment, problems: string[]): Secret | null {
  const value = env['DATABASE_URL'];
  if (!value) return null;
  const asked = databaseAddress(value, env);
  if ('problem' in asked) {
    problems.push(`DATABASE_URL ${asked.problem}`);
    return null;
  }
  if (!asked.isHere && !TLS_MODES.includes(asked.sslMode)) {
    problems.push(
      'DATABASE_URL must want TLS of a server that is not on this machine: add ?sslmode=verify-full, or sslmode=disable where the network itself is private',
    );
    return null;
  }
  return generatedSecret(value);
}

/**
 * Values of `sslmode` that clearly mean TLS or clearly mean no encryption. `prefer` is not in the list, because with `prefer` the driver
 * may fall back to an unencrypted connection.
 */
const TLS_MODES: readonly string[] = ['require', 'verify-ca', 'verify-full', 'disable'];

function refusesPrivate(env: Environment, problems: string[]): boolean {
  return oneOf(env, 'LOCKSTEP_PRIVATE_ADDRESSES', ['allow', 'refuse'], 'allow', problems) === 'refuse';
}

function sealingKeyFile(env: Environment, cwd: string, problems: string[]): string | null {
  const value = env['LOCKSTEP_SEALING_KEY'];
  if (!value) return null;
  if (value.startsWith('file:') && value.length > 'file:'.length) return resolve(cwd, value.slice(5));
  problems.push('LOCKSTEP_SEALING_KEY must be file:PATH, never the key itself');
  return null;
}

/** The items of a comma-separated text. */
function listed(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== '*');
}

function oneOf<T extends string>(
  env: Environment,
  name: string,
  known: readonly T[],
  fallback: T,
  problems: string[],
): T {
  const value = env[name];
  if (!value) return fallback;
  const found = known.find((candidate) => candidate === value);
  if (found === undefined) problems.push(`${name} must be one of ${known.join(', ')}`);
  return found ?? fallback;
}

function connections(env: Environment, problems: string[]): number | null {
  const value = env['LOCKSTEP_DATABASE_CONNECTIONS'];
  if (!value) return null;
  if (/^[1-9]\d{0,3}$/.test(value)) return Number(value);
  problems.push('LOCKSTEP_DATABASE_CONNECTIONS must be a number from 1 to 9999');
  return null;
}

function webAddress(env: Environment, name: string, problems: string[]): string | null {
  const value = env[name];
  if (!value) return null;
  const url = /^https?:\/\//.test(value) ? URL.parse(value) : null;
  if (url === null) problems.push(`${name} must be an address that begins with http:// or https://`);
  return url === null ? null : value.replace(/\/+$/, '');
}

function port(env: Environment, name: string, problems: string[]): number | null {
  const value = env[name];
  if (!value) return null;
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  problems.push(`${name} must be a port from 0 to 65535 (0: any free one)`);
  return null;
}

/** The form of a deployment name: no dot and no colon, because Temporal writes these between deployment name and build id. */
const DEPLOYMENT_NAME = /^[\w-]{1,128}$/;
/** The form of a build id: the characters that occur in versions, image tags and commit hashes. */
const BUILD_ID = /^[\w.+-]{1,128}$/;

function workerVersion(env: Environment, problems: string[]): WorkerVersion | null {
  const [deploymentName = '', buildId = ''] = [env['TEMPORAL_DEPLOYMENT_NAME'], env['TEMPORAL_WORKER_BUILD_ID']];
  if (deploymentName === '' && buildId === '') return null;
  if (deploymentName === '' || buildId === '')
    problems.push('TEMPORAL_DEPLOYMENT_NAME and TEMPORAL_WORKER_BUILD_ID must be given together, or neither');
  else if (!DEPLOYMENT_NAME.test(deploymentName))
    problems.push('TEMPORAL_DEPLOYMENT_NAME must be letters, digits, - and _ (at most 128)');
  else if (!BUILD_ID.test(buildId))
    problems.push('TEMPORAL_WORKER_BUILD_ID must be letters, digits, and . + - _ (at most 128)');
  return { deploymentName, buildId };
}
