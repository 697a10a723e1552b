import { type ClientConnectConfig, loadClientConnectConfig } from '@temporalio/envconfig';
import { NAMESPACE } from '../../temporal.config.ts';
import type { Environment } from './settings.ts';

/** Address used where neither the environment nor Temporal's profile file names one. */
const DEFAULT_TEMPORAL_ADDRESS = '127.0.0.1:7233';

export type TemporalConnection = {
  readonly address: string;
  readonly namespace: string;
  /** For `Connection.connect` and `NativeConnection.connect`; holds credentials, never print it. */
  readonly options: ClientConnectConfig['connectionOptions'] & { readonly address: string };
};

/**
 * Where Temporal is, by Temporal's own rules: `TEMPORAL_ADDRESS`, `TEMPORAL_NAMESPACE`, `TEMPORAL_API_KEY`,
 * `TEMPORAL_TLS_*`, `TEMPORAL_PROFILE`, `TEMPORAL_CONFIG_FILE` and the profile file. Throws when a named profile or
 * file does not exist.
 */
export function loadTemporalConnection(env: Environment): TemporalConnection {
  const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const config = loadClientConnectConfig({ overrideEnvVars: Object.fromEntries(given) });
  const address = config.connectionOptions.address ?? DEFAULT_TEMPORAL_ADDRESS;
  return {
    address,
    namespace: config.namespace ?? NAMESPACE,
    options: { ...config.connectionOptions, address },
  };
}
