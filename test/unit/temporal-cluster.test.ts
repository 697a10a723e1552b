import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { serverConfig } from '../../scripts/temporal-cluster/server-config.ts';

const ports = { frontend: [1, 2], matching: [3, 4], history: [5, 6], worker: [7, 8] } as const;

it('configures a Temporal server as a new cluster, with both stores in PostgreSQL', () => {
  const postgres = new URL('postgres://someone:a%2Fb@127.0.0.1:5432/lockstep');

  const config = parse(serverConfig({ ports, postgres }));

  const { main, visibility } = config.persistence.datastores;
  expect([main.sql, visibility.sql]).toMatchObject([
    { databaseName: 'temporal', connectAddr: '127.0.0.1:5432', user: 'someone', password: 'a/b' },
    { databaseName: 'temporal_visibility', connectAddr: '127.0.0.1:5432', user: 'someone', password: 'a/b' },
  ]);
  expect(config.services.frontend.rpc).toMatchObject({ grpcPort: 1, membershipPort: 2 });
  expect(config.publicClient.hostPort).toBe('127.0.0.1:1');
  expect(config).not.toHaveProperty('dynamicConfigClient');
});
