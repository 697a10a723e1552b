import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { gaugeText } from '../../src/operator/metrics/gauge-text.ts';
import { startHealthServer } from '../../src/platform/health-server.ts';
import { silentLogger } from '../../src/platform/logger.ts';
import { openConsole } from '../support/console.ts';

/** Whoever reaches the ports of health, metrics and console without a session: what the questions cost, and what a text does in an answer. */

const running: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

/** What a scrape costs the ledger on a busy day, in ms. */
const SCRAPE_MS = 100;
const ASKED = 200;

/** Asks over many connections at once. */
const flood = (url: string) =>
  Promise.all(
    Array.from({ length: ASKED }, async () => (await fetch(url, { headers: { connection: 'close' } })).text()),
  );

async function countedServer(fails = false) {
  const runs = { metrics: 0, checks: 0 };
  const server = await startHealthServer({
    ...{ host: '127.0.0.1', port: 0, log: silentLogger },
    metrics: async () => {
      runs.metrics += 1;
      await delay(SCRAPE_MS);
      if (fails) throw new Error('the ledger does not answer');
      return 'up 1\n';
    },
    checks: {
      ledger: async () => {
        runs.checks += 1;
        await delay(SCRAPE_MS);
      },
    },
  });
  running.push(server);
  return { server, runs };
}

describe('a flood of questions', () => {
  it.each([
    ['/metrics', 'metrics', false],
    ['/metrics', 'metrics', true],
    ['/readyz', 'checks', false],
  ] as const)('for %s costs the ledger what one costs (%s fails: %s)', async (path, what, fails) => {
    const { server, runs } = await countedServer(fails);
    const answers = await flood(`${server.url}${path}`);
    expect(answers).toHaveLength(ASKED);
    expect(runs[what]).toBeLessThanOrEqual(5);
  });

  it('for the console’s readiness costs the ledger what one costs', async () => {
    let checks = 0;
    const failedChecks = async () => {
      checks += 1;
      await delay(SCRAPE_MS);
      return [];
    };
    const { url } = await openConsole({ failedChecks });
    await flood(`${url}/readyz`);
    expect(checks).toBeLessThanOrEqual(5);
  });
});

describe('a label of a metric', () => {
  it.each(['a"} 1\nevil 1', 'a\\', 'a\\"', '"', '\n# HELP evil', '{}', 'a\r\nevil 1', '\u2028'])(
    'adds no line and no other label: %j',
    (label) => {
      const { gauge, text } = gaugeText();
      gauge('lockstep_test', 'A test.', 'tenant', 'code').set({ tenant: label, code: 'c' }, 1);
      const lines = text().split('\n');
      expect(lines).toHaveLength(4);
      expect(lines[2]).toMatch(/^lockstep_test\{tenant="(?:[^"\\\n]|\\["\\n])*",code="c"\} 1$/);
    },
  );
});
