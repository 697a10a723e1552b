import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ComponentSet, MetadataConverter } from '@salesforce/source-deploy-retrieve';
import { Agent, fetch } from 'undici';
import { type SalesforceSimulator, startSalesforceSimulator } from '../src/salesforce/start.ts';

const CRM_PACKAGE = fileURLToPath(new URL('../../crm-package/main', import.meta.url));
const COLLECTION = 200;

/** A simulated org for one client's suite, with the metadata that the suite asks its org to have. */
export type ScoredOrg = {
  readonly simulator: SalesforceSimulator;
  /** Creates rows by collections, as the sales user. Throws with the first refusal. */
  create(type: string, records: readonly object[]): Promise<readonly string[]>;
  close(): Promise<void>;
};

/** Starts one; `metadataDir` is a folder in metadata or source format that is deployed beside the CRM package. */
export async function startScoredOrg(
  options: { readonly metadataDir?: string; readonly tls?: boolean } = {},
): Promise<ScoredOrg> {
  const { metadataDir, tls = false } = options;
  const packageDir = mkdtempSync(join(tmpdir(), 'scorecard-package-'));
  cpSync(CRM_PACKAGE, packageDir, { recursive: true });
  if (metadataDir !== undefined) await deploy(metadataDir, packageDir);
  const simulator = await startSalesforceSimulator({ packageDirs: [packageDir], tls });
  return {
    simulator,
    create: (type, records) => createRows(simulator, type, records),
    close: async () => {
      await simulator.close();
      rmSync(packageDir, { recursive: true });
    },
  };
}

/** Puts the objects of a metadata folder into the package, in source format. */
async function deploy(metadataDir: string, packageDir: string): Promise<void> {
  const include = new ComponentSet([{ fullName: '*', type: 'CustomObject' }]);
  const found = ComponentSet.fromSource({ fsPaths: [metadataDir], include });
  const output = { type: 'directory', outputDirectory: packageDir, genUniqueDir: false } as const;
  await new MetadataConverter().convert(found, 'source', output);
}

async function createRows(
  { url, user, certificate: ca }: SalesforceSimulator,
  type: string,
  records: readonly object[],
): Promise<readonly string[]> {
  const ids: string[] = [];
  const dispatcher = new Agent({ connect: ca === null ? {} : { ca } });
  for (let from = 0; from < records.length; from += COLLECTION) {
    const rows = records.slice(from, from + COLLECTION);
    const body = { allOrNone: true, records: rows.map((row) => ({ attributes: { type }, ...row })) };
    const answer = await fetch(`${url}/services/data/v67.0/composite/sobjects`, {
      method: 'POST',
      dispatcher,
      headers: { authorization: `Bearer ${user.accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const results = (await answer.json()) as { id?: string; success: boolean }[];
    if (!answer.ok || results.some(({ success }) => !success)) {
      throw new Error(`${type} cannot be created: ${JSON.stringify(results).slice(0, 500)}`);
    }
    ids.push(...results.map(({ id }) => id ?? ''));
  }
  await dispatcher.close();
  return ids;
}
