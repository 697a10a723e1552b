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
      temporalUi: null,
      temporalCli: null,
    });
  });

  it('takes what the environment says', () => {
    const settings = readSettings(
      {
        DATABASE_URL: 'postgres://u:p@db/lockstep?sslmode=verify-full',
        LOCKSTEP_DATABASE_CONNECTIONS: '60',
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
      },
      context,
    );
    expect(settings).toMatchObject({
      databaseConnections: 60,
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
      expect(() => readSettings({ DATABASE_URL: url }, context)).toThrow(
        /must want TLS.*sslmode=verify-full/s,
      );
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
});
