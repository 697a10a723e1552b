import type { Endpoints } from '../../src/cli/running/endpoints.ts';

const user = {
  clientId: 'c',
  clientSecret: 'SECRET-1',
  accessToken: 'SECRET-2',
  username: 'u',
  privateKey: 'SECRET-3',
};
/** Endpoints of a running `npm start`; every secret begins with SECRET. */
export const endpoints: Endpoints = {
  temporal: { address: '127.0.0.1:7233', ui: 'http://127.0.0.1:8233' },
  vendor: { baseUrl: 'http://127.0.0.1:4010', apiKey: 'SECRET-4', admin: 'http://127.0.0.1:4010/__admin' },
  salesforce: {
    loginUrl: 'http://127.0.0.1:4020',
    admin: 'http://127.0.0.1:4020/__admin',
    pubSubEndpoint: null,
    organizationId: '00D000000000001AAA',
    user,
    integration: user,
  },
  webhooks: { baseUrl: 'http://127.0.0.1:4030', ops: 'http://127.0.0.1:4031' },
  console: { baseUrl: 'http://127.0.0.1:4050' },
  worker: { baseUrl: 'http://127.0.0.1:4040' },
  postgres: { url: 'postgres://lockstep:SECRET-5@127.0.0.1:5433/lockstep' },
  tenants: ['/t/demo.yaml'],
};
