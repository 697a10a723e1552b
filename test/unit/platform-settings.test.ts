import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSettings, SettingsError } from '../../src/platform/settings.ts';
import { loadTemporalConnection } from '../../src/platform/temporal-connection.ts';

const context = { cwd: '/project', terminal: false };

describe('readSettings', () => {
  it('has a default for everything', () => {
    expect(readSettings({}, context)).toEqual({
      databaseUrl: null,
      databaseConnections: null,
      databasePrepares: true,
      usesLane: true,
      home: '/project/.lockstep',
      tenants: ['/project/tenants'],
      tenantSecrets: {
        folders: ['/project/.lockstep/secrets'],
        ownFiles: ['/project/.lockstep/sealing.key'],
        names: [],
      },
      sealingKeyFile: '/project/.lockstep/sealing.key',
      logLevel: 'info',
      logFormat: 'json',
      color: false,
      host: '127.0.0.1',
      opsHost: '127.0.0.1',
      webhookPort: null,
      webhookOpsPort: null,
      workerPort: null,
      consolePort: null,
      consoleFile: null,
      noticesFile: null,
      temporalUi: null,
      temporalCli: null,
      workerVersion: null,
    });
  });

  it('takes what the environment says', () => {
    const settings = readSettings(
      {
        DATABASE_URL: 'postgres://u:p@db/lockstep?sslmode=verify-full',
        LOCKSTEP_DATABASE_CONNECTIONS: '60',
        LOCKSTEP_DATABASE_PREPARED: 'off',
        LOCKSTEP_LANE: 'off',
        LOCKSTEP_HOME: 'state',
        LOCKSTEP_TENANTS: '/etc/lockstep/acme.yaml, beta',
        LOCKSTEP_SEALING_KEY: 'file:/run/key',
        LOCKSTEP_LOG_LEVEL: 'debug',
        LOCKSTEP_LOG_FORMAT: 'pretty',
        LOCKSTEP_HOST: '0.0.0.0',
        LOCKSTEP_OPS_HOST: '10.0.0.7',
        LOCKSTEP_WEBHOOK_PORT: '0',
        LOCKSTEP_WEBHOOK_OPS_PORT: '9001',
        LOCKSTEP_WORKER_PORT: '9000',
        LOCKSTEP_TEMPORAL_UI: 'https://temporal.example.com/',
        TEMPORAL_CLI: '/usr/bin/temporal',
        TEMPORAL_DEPLOYMENT_NAME: 'lockstep',
        TEMPORAL_WORKER_BUILD_ID: '0.1.0-3f2a9c1b',
      },
      context,
    );
    expect(settings).toMatchObject({
      databaseConnections: 60,
      databasePrepares: false,
      usesLane: false,
      home: '/project/state',
      tenants: ['/etc/lockstep/acme.yaml', '/project/beta'],
      sealingKeyFile: '/run/key',
      logLevel: 'debug',
      logFormat: 'pretty',
      host: '0.0.0.0',
      opsHost: '10.0.0.7',
      webhookPort: 0,
      webhookOpsPort: 9001,
      workerPort: 9000,
      temporalUi: 'https://temporal.example.com',
      temporalCli: '/usr/bin/temporal',
      workerVersion: { deploymentName: 'lockstep', buildId: '0.1.0-3f2a9c1b' },
    });
    expect(settings.databaseUrl?.reveal()).toBe('postgres://u:p@db/lockstep?sslmode=verify-full');
    expect(JSON.stringify(settings)).not.toContain('u:p');
  });

  it.each([
    'postgres://localhost/lockstep',
    'postgresql://u:p@127.0.0.1:5433/lockstep',
    'postgres://[::1]/lockstep',
    'postgres:///lockstep',
    'postgres://%2Frun%2Fpostgresql/lockstep',
    'postgres://db.example/lockstep?sslmode=require',
    'postgres://postgres/lockstep?sslmode=disable',
  ])('takes the database %s', (url) => {
    expect(readSettings({ DATABASE_URL: url }, context).databaseUrl?.reveal()).toBe(url);
  });

  it.each(['postgres://u:p@db.example/lockstep', 'postgres://u:p@10.0.0.7/lockstep?sslmode=prefer'])(
    'refuses %s, which would be talked to in clear',
    (url) => {
      expect(() => readSettings({ DATABASE_URL: url }, context)).toThrow(/must want TLS.*sslmode=verify-full/s);
      expect(() => readSettings({ DATABASE_URL: url }, context)).not.toThrow(/u:p/);
    },
  );

  it('is pretty and in colour on a terminal, and without colour where NO_COLOR is set', () => {
    const terminal = { cwd: '/project', terminal: true };
    expect(readSettings({}, terminal)).toMatchObject({ logFormat: 'pretty', color: true });
    expect(readSettings({ NO_COLOR: '1' }, terminal)).toMatchObject({ logFormat: 'pretty', color: false });
  });

  it('lists every problem in one message, without a value', () => {
    const env = {
      DATABASE_URL: 'mysql://u:hunter2@db',
      LOCKSTEP_DATABASE_CONNECTIONS: '0',
      LOCKSTEP_DATABASE_PREPARED: 'never',
      LOCKSTEP_SEALING_KEY: 'hunter2',
      LOCKSTEP_LOG_LEVEL: 'loud',
      LOCKSTEP_WEBHOOK_PORT: '70000',
      LOCKSTEP_WORKER_PORT: 'x',
      LOCKSTEP_TEMPORAL_UI: 'javascript:hunter2',
    };
    const read = () => readSettings(env, context);
    expect(read).toThrow(SettingsError);
    for (const name of Object.keys(env)) expect(read).toThrow(name);
    expect(read).not.toThrow(/hunter2/);
  });
});

describe('the version of workers', () => {
  it.each([
    [{ TEMPORAL_DEPLOYMENT_NAME: 'lockstep' }, /given together/],
    [{ TEMPORAL_WORKER_BUILD_ID: '1' }, /given together/],
    [{ TEMPORAL_DEPLOYMENT_NAME: 'lock.step', TEMPORAL_WORKER_BUILD_ID: '1' }, /DEPLOYMENT_NAME must be/],
    [{ TEMPORAL_DEPLOYMENT_NAME: 'lockstep', TEMPORAL_WORKER_BUILD_ID: 'a:b' }, /BUILD_ID must be/],
  ])('is refused as %j', (env, problem) => {
    expect(() => readSettings(env, context)).toThrow(problem);
  });
});

describe('loadTemporalConnection', () => {
  it('is the local server where nothing is said', () => {
    const home = { HOME: '/nowhere', TEMPORAL_CONFIG_FILE: '' };
    expect(loadTemporalConnection(home)).toMatchObject({ address: '127.0.0.1:7233', namespace: 'default' });
  });

  it('follows the profile file, and the environment over it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'temporal-'));
    const file = join(folder, 'temporal.toml');
    writeFileSync(file, '[profile.cloud]\naddress = "cloud:7233"\nnamespace = "ours"\napi_key = "k"\n');
    const env = { TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: 'cloud' };
    const fromFile = loadTemporalConnection(env);
    expect(fromFile).toMatchObject({ address: 'cloud:7233', namespace: 'ours' });
    expect(fromFile.options).toMatchObject({ address: 'cloud:7233', apiKey: 'k', tls: true });
    expect(loadTemporalConnection({ ...env, TEMPORAL_NAMESPACE: 'other' }).namespace).toBe('other');
    rmSync(folder, { recursive: true });
  });

  const cloud = { TEMPORAL_CONFIG_FILE: '', TEMPORAL_ADDRESS: 'acme.a1b2c.tmprl.cloud:7233' };

  it('goes to Temporal Cloud with an API key, by TLS', () => {
    const { options } = loadTemporalConnection({ ...cloud, TEMPORAL_API_KEY: 'hunter2' });
    expect(options).toMatchObject({ address: cloud.TEMPORAL_ADDRESS, apiKey: 'hunter2', tls: true });
  });

  it('goes to Temporal Cloud with a certificate, from files or as they are', () => {
    const folder = mkdtempSync(join(tmpdir(), 'temporal-'));
    writeFileSync(join(folder, 'tls.crt'), 'certificate');
    writeFileSync(join(folder, 'tls.key'), 'key');
    const pair = { crt: Buffer.from('certificate'), key: Buffer.from('key') };
    const files = {
      TEMPORAL_TLS_CLIENT_CERT_PATH: join(folder, 'tls.crt'),
      TEMPORAL_TLS_CLIENT_KEY_PATH: join(folder, 'tls.key'),
    };
    const data = { TEMPORAL_TLS_CLIENT_CERT_DATA: 'certificate', TEMPORAL_TLS_CLIENT_KEY_DATA: 'key' };
    for (const given of [files, data]) {
      const { tls } = loadTemporalConnection({ ...cloud, ...given }).options;
      const { crt, key } = (tls as { clientCertPair: { crt: Uint8Array; key: Uint8Array } }).clientCertPair;
      expect({ crt: Buffer.from(crt), key: Buffer.from(key) }).toEqual(pair);
    }
    rmSync(folder, { recursive: true });
  });

  it.each([
    [{ TEMPORAL_TLS_CLIENT_CERT_DATA: 'hunter2' }, /must be given together/],
    [{ TEMPORAL_TLS_CLIENT_KEY_DATA: 'hunter2' }, /must be given together/],
    [{ TEMPORAL_API_KEY: 'hunter2', TEMPORAL_TLS: 'false' }, /in clear/],
  ])('refuses %j, which would leave out what proves who we are, or tell it to everybody', (given, problem) => {
    const load = () => loadTemporalConnection({ ...cloud, ...given });
    expect(load).toThrow(problem);
    expect(load).not.toThrow(/hunter2/);
  });
});
