import { stringify } from 'yaml';

/** A port for gRPC and one for the ring of servers, for each service of a Temporal server. */
export type ServerPorts = Readonly<Record<'frontend' | 'matching' | 'history' | 'worker', readonly [number, number]>>;

export type ServerConfig = {
  readonly ports: ServerPorts;
  /** The address of PostgreSQL with the login; the databases have names of their own. */
  readonly postgres: URL;
};

/** The two databases of a Temporal server, by the name of their schema. */
export const DATABASES = { temporal: 'temporal', visibility: 'temporal_visibility' } as const;

const HOST = '127.0.0.1';

/**
 * The configuration file of a Temporal server that runs all four services in one process, on loopback, with PostgreSQL for persistence and
 * visibility. It sets no dynamic configuration: matching has its default partitions and no fairness, as a new cluster does.
 */
export function serverConfig({ ports, postgres }: ServerConfig): string {
  const store = (databaseName: string, maxConns: number) => ({
    sql: {
      pluginName: 'postgres12',
      databaseName,
      connectAddr: postgres.host,
      connectProtocol: 'tcp',
      user: postgres.username,
      password: decodeURIComponent(postgres.password),
      maxConns,
      maxIdleConns: maxConns,
      maxConnLifetime: '1h',
    },
  });
  const service = ([grpcPort, membershipPort]: readonly [number, number]) => ({
    rpc: { grpcPort, membershipPort, bindOnLocalHost: true },
  });
  return stringify({
    log: { stdout: true, level: 'warn' },
    persistence: {
      defaultStore: 'main',
      visibilityStore: 'visibility',
      numHistoryShards: 4,
      datastores: { main: store(DATABASES.temporal, 20), visibility: store(DATABASES.visibility, 10) },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: HOST } },
    services: {
      frontend: service(ports.frontend),
      matching: service(ports.matching),
      history: service(ports.history),
      worker: service(ports.worker),
    },
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: {
          enabled: true,
          initialFailoverVersion: 1,
          rpcName: 'frontend',
          rpcAddress: `${HOST}:${ports.frontend[0]}`,
        },
      },
    },
    publicClient: { hostPort: `${HOST}:${ports.frontend[0]}` },
  });
}
