import { type CodedField, isKnownCode } from '../../domain/mapping/index.ts';
import type { MappingConfig } from '../../domain/record/mapping-config.ts';
import type { CatalogWatch, VendorChange } from '../../domain/streams/announced-changes.ts';
import { CATALOG_STREAMS, seenOf } from '../../domain/streams/catalog-refresh.ts';
import { FORECASTS } from '../../domain/values/forecast.ts';
import { listOfField } from '../../domain/values/lists.ts';
import { STATUSES_WITHOUT_CODE } from '../../domain/values/status.ts';
import type { NotedCode, StreamLedger } from '../../ledger/streams/stream-ledger.ts';

/**
 * Codes in vendor records that neither the vendor's documents nor the tenant's mapping contain, and changes of the vendor's catalog in the
 * last week.
 */
export type VendorWatch = {
  /**
   * The changes that Lockstep saw in the catalog within a week, newest first: portfolio items, products, accreditations, price lists and
   * currencies.
   */
  readonly changes: readonly VendorChange[];
  /** Codes in vendor records that neither the vendor's documents nor the tenant's mapping contain, each with its repair. */
  readonly codes: readonly (NotedCode & { readonly repair: string })[];
};

/**
 * Reads unknown codes and catalog changes from the ledger (Lockstep's database), where workers store them when they read the vendor. Sends
 * no request to the vendor.
 */
export async function readVendorWatch(
  ledger: Pick<StreamLedger, 'cursor' | 'notedCodes'>,
  tenant: string,
  mapping: MappingConfig,
): Promise<VendorWatch> {
  const watches = await Promise.all(
    CATALOG_STREAMS.map(async (stream) => (await ledger.cursor(tenant, seenOf(stream))) as CatalogWatch | null),
  );
  const changes = watches.flatMap((watch) => watch?.changes ?? []);
  return vendorWatchOf(changes, await ledger.notedCodes(tenant), mapping);
}

/**
 * Makes the part of the status that concerns the vendor. `changes`: stored changes of the catalog. `noted`: codes that Lockstep stored from
 * vendor records. Leaves out codes that the vendor's documents or the tenant's mapping contain by now.
 */
export function vendorWatchOf(
  changes: readonly VendorChange[],
  noted: readonly NotedCode[],
  mapping: MappingConfig,
): VendorWatch {
  const codes = unknownCodes(noted, mapping);
  return {
    changes: changes.toSorted((one, other) => other.at.localeCompare(one.at)),
    codes: codes.map((code) => ({ ...code, repair: repairOf(code.field, mapping) })),
  };
}

/**
 * Returns those codes in `noted` that neither the vendor's documents nor the tenant's mapping contain. `noted`: codes that Lockstep stored
 * from vendor records.
 */
export function unknownCodes(noted: readonly NotedCode[], mapping: MappingConfig): readonly NotedCode[] {
  return noted.filter((code) => !isKnownCode(code, mapping));
}

function repairOf(field: CodedField, mapping: MappingConfig): string {
  if (listOfField(field, mapping) !== null) return `add it to vendor.lists.${field}, so that it can be chosen and sent`;
  switch (field) {
    case 'status':
      return `if it is ${listed(STATUSES_WITHOUT_CODE)}, give it as that one's code in values.status; any other leaves the stage where it is`;
    case 'forecastCategory':
      return `if it is ${listed(FORECASTS_WITHOUT_CODE)}, give it as that one's code in values.forecastCategory; any other is shown as it is`;
    case 'reasonWon':
    case 'reasonLost':
    case 'revenueType':
      return `give it a name in values.${field}, or leave it: it is shown as it is`;
    default:
      return `give it a row in fields.${field}.values, or leave it: it is shown as it is`;
  }
}

const FORECASTS_WITHOUT_CODE = Object.keys(FORECASTS).filter((name) => FORECASTS[name]?.documented === false);

function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}`;
}
