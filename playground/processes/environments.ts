import type { Environment } from '../../src/platform/settings.ts';

/** Variables that any program gets. None of them is a secret. */
const PLAIN =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|TEMP|TMP|NO_COLOR|XDG_CACHE_HOME|XDG_RUNTIME_DIR)$/;
const LOGGING = /^LOCKSTEP_LOG_[A-Z]+$/;
/** Variables for the worker and the receiver, and for their libraries that connect to database, Temporal and remote systems. */
const OF_SERVICES =
  /^(?:LOCKSTEP_[A-Z_]+|DATABASE_URL|PG[A-Z]+|TEMPORAL_[A-Z_]+|OTEL_[A-Z_]+|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|NODE_USE_ENV_PROXY|SSL_CERT_(?:FILE|DIR)|(?:https?|no)_proxy|(?:HTTPS?|NO)_PROXY)$/;

/** The variables for a third-party program, such as the Temporal server. */
export function programEnvironment(env: Environment): Environment {
  return only(env, (name) => PLAIN.test(name));
}

/** The variables for a simulator; it gets its keys through files. */
export function simulatorEnvironment(env: Environment): Environment {
  return only(env, (name) => PLAIN.test(name) || LOGGING.test(name));
}

/** The variables for worker and receiver: their settings, and the secrets that the tenant file names as `env:NAME`. */
export function serviceEnvironment(env: Environment, tenantFile: string): Environment {
  const named = new Set(Array.from(tenantFile.matchAll(/\benv:([A-Za-z_]\w*)/g), ([, name]) => name));
  return only(env, (name) => PLAIN.test(name) || OF_SERVICES.test(name) || named.has(name));
}

function only(env: Environment, isAllowed: (name: string) => boolean): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => isAllowed(name)));
}
