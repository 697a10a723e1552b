import type { PackageContent, ProductInformation } from '../../partner-api/index.ts';
import { mirrored } from '../mirror.ts';
import { KINDS } from '../value.ts';
import { type CatalogRow, isKey, keyOf } from './catalog-mirror.ts';
import { CONTENT_FIELDS, INFORMATION_FIELDS, RELEASE_FIELDS } from './product-mirrors.ts';

/** Product types that have components (order spec 2.11, 4.8). */
const WITH_CONTENT: ReadonlySet<string> = new Set(['O', 'P']);

/**
 * The CRM rows for one entry of the vendor's product information: the release, and the product as this release describes it. If a product
 * has several releases, the latest release counts. Pure.
 */
export function informationRows(entry: ProductInformation): readonly CatalogRow[] {
  const { number, release, type } = entry;
  if (!isKey(number)) return [];
  const own = mirrored(INFORMATION_FIELDS, entry);
  const fields = { ...own, Name: own['Name'] ?? number, ProductCode: number, IsActive: true };
  const hasContent = WITH_CONTENT.has(type?.code ?? '') && isKey(release);
  const product: CatalogRow = {
    kind: 'product',
    id: number,
    fields,
    rank: rankOf(release),
    ...(hasContent ? { follow: release } : {}),
  };
  return isKey(release) ? [product, releaseRow(entry, release)] : [product];
}

function releaseRow(entry: ProductInformation, release: string): CatalogRow {
  const id = keyOf(entry.number, release);
  return {
    kind: 'release',
    id,
    master: entry.number,
    needs: [{ kind: 'product', id: entry.number }],
    fields: {
      Name: KINDS.name(`${entry.number} ${release}`),
      Release_Key__c: id,
      Product__c: entry.number,
      Active__c: true,
      ...mirrored(RELEASE_FIELDS, entry),
    },
  };
}

/**
 * A text by which the releases of a product are sorted. Numbers in a release's name count by their value, so `R2024x` comes before
 * `R2025x`. The vendor's documents define no order (order spec 2.16).
 */
export function rankOf(release: string | null | undefined): string {
  return (release ?? '').toLowerCase().replace(/\d+/g, (digits) => digits.padStart(12, '0'));
}

/** A package whose components a refresh (complete read) of the catalog has to read. */
export type CatalogPackage = { readonly number: string; readonly release: string };

/**
 * A component of a package as a CRM row; null if its product number is malformed. `known`: the product numbers in the catalog. The row
 * refers to the component's product only if the catalog has it. Pure.
 */
export function componentRow(
  { number: packageNumber, release: packageRelease }: CatalogPackage,
  part: PackageContent,
  known: ReadonlySet<string>,
): CatalogRow | null {
  if (!isKey(part.number)) return null;
  const id = keyOf(packageNumber, part.number, part.release);
  const product = known.has(part.number) ? part.number : null;
  return {
    kind: 'component',
    id,
    master: packageNumber,
    needs: [packageNumber, ...(product === null ? [] : [product])].map((one) => ({
      kind: 'product' as const,
      id: one,
    })),
    fields: {
      Name: KINDS.name(`${packageNumber} ${part.number}`),
      Component_Key__c: id,
      Package__c: packageNumber,
      Package_Release__c: KINDS.text(packageRelease),
      Component__c: product,
      Active__c: true,
      ...mirrored(CONTENT_FIELDS, part),
    },
  };
}
