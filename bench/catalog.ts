/**
 * Measures the cost of a large catalog: refreshes it twice over both simulators and compares the requests to each with the number of rows.
 * `npm run bench:catalog [-- --products N]`; fails if a request carries fewer rows than possible, or if an unchanged catalog is written.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { startEmbeddedPostgres } from '../playground/postgres/start.ts';
import { scriptOptions } from '../scripts/setup/script-options.mjs';
import { CATALOG_KINDS } from '../src/domain/streams/catalog-refresh.ts';
import { migrate } from '../src/ledger/migrations/migrate.ts';
import { openLedger } from '../src/ledger/open.ts';
import { createSealing } from '../src/platform/sealing.ts';
import { openCatalogBed } from '../test/support/catalog/catalog-bed.ts';

const { products: PRODUCTS } = scriptOptions('bench:catalog');
/** The least number of rows, of all kinds together, that a CRM request must carry on average. */
const ROWS_A_REQUEST = 150;

const folder = await mkdtemp(join(tmpdir(), 'lockstep-catalog-'));
const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data') });
try {
  await migrate(postgres.url);
  const sealing = createSealing({ id: 'bench', bytes: randomBytes(32) });
  const ledger = await openLedger({ url: postgres.url, sealing });
  process.exitCode = (await measure(ledger)) ? 0 : 1;
  await ledger.close();
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

async function measure(ledger: Awaited<ReturnType<typeof openLedger>>): Promise<boolean> {
  const bed = await openCatalogBed({ ledger, vendor: { products: PRODUCTS } });
  let asked = 0;
  const refresh = async (name: string): Promise<{ readonly rows: number; readonly written: number }> => {
    const before = await bed.writes();
    const started = performance.now();
    const steps = await bed.refresh();
    const seconds = Math.round((performance.now() - started) / 1000);
    const counts = await ledger.countCatalog(bed.tenant, Object.keys(CATALOG_KINDS));
    // Rows that wait for a currency that the org lacks cause no requests.
    const rows = counts.reduce(
      (sum, { shown, held }) => sum + shown - Object.values(held).reduce((all, some) => all + some, 0),
      0,
    );
    const written = (await bed.writes()) - before;
    asked = steps.length - written;
    console.log(
      `${name}: ${rows} rows of ${PRODUCTS} products, about ${asked} vendor requests, ${written} to the CRM (floor ${Math.ceil(rows / 200)}), ${seconds} s`,
    );
    return { rows, written };
  };
  const first = await refresh('first');
  const again = await refresh('again');
  await bed.close();
  const isFull = first.rows / first.written >= ROWS_A_REQUEST;
  const isQuiet = again.written === 0;
  console.log(
    isFull && isQuiet
      ? `good: ${Math.round(first.rows / first.written)} rows a request, and none where nothing changed`
      : `bad: ${Math.round(first.rows / first.written)} rows a request, ${again.written} requests where nothing changed`,
  );
  return isFull && isQuiet;
}
