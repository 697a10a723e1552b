import {
  type ClientConfigProfile,
  type ClientConnectConfig,
  loadClientConfigProfile,
  toClientOptions,
} from '@temporalio/envconfig';
import { NAMESPACE } from '../../temporal.config.ts';
import { type Environment, SettingsError } from './settings.ts';

/** Address used if neither the environment nor Temporal's profile file names one. */
const DEFAULT_TEMPORAL_ADDRESS = '127.0.0.1:7233';

export type TemporalConnection = {
  readonly address: string;
  readonly namespace: string;
  /** Options of `Connection.connect` and `NativeConnection.connect`. They contain credentials, so never print them. */
  readonly options: ClientConnectConfig['connectionOptions'] & { readonly address: string };
};

/**
 * Reads Temporal's address, namespace and credentials by Temporal's own rules: `TEMPORAL_ADDRESS`, `TEMPORAL_NAMESPACE`,
 * `TEMPORAL_API_KEY`, `TEMPORAL_TLS_*`, `TEMPORAL_PROFILE`, `TEMPORAL_CONFIG_FILE` and the profile file. Throws if a named profile or file
 * does not exist, and `SettingsError` if credentials would be ignored or sent in clear.
 */
export function loadTemporalConnection(env: Environment): TemporalConnection {
  const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const profile = loadClientConfigProfile({ overrideEnvVars: Object.fromEntries(given) });
  const problems = problemsOf(profile);
  if (problems.length > 0) throw new SettingsError(problems);
  const config = toClientOptions(profile);
  const address = config.connectionOptions.address ?? DEFAULT_TEMPORAL_ADDRESS;
  return {
    address,
    namespace: config.namespace ?? NAMESPACE,
    options: { ...config.connectionOptions, address },
  };
}

/** Settings that the SDK accepts although they are unsafe: a client certificate without its key, and an API key without TLS. */
function problemsOf({ tls, apiKey }: ClientConfigProfile): readonly string[] {
  const isHalf = (tls?.clientCert === undefined) !== (tls?.clientKey === undefined);
  return [
    ...(isHalf
      ? ['TEMPORAL_TLS_CLIENT_CERT_* and TEMPORAL_TLS_CLIENT_KEY_* must be given together: mTLS needs both']
      : []),
    ...(apiKey !== undefined && tls?.disabled === true
      ? ['TEMPORAL_API_KEY would be sent in clear: leave TEMPORAL_TLS=false out']
      : []),
  ];
}
