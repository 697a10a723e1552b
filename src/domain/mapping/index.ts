import type { FieldName, Observed, OfferLine } from '../canonical.ts';
import type { CrmCreate, CrmFields, CrmGraph, CrmWrite } from '../crm-graph.ts';
import type { MappingConfig } from '../mapping-config.ts';
import type { CrmObservation, LinePair, VendorObservation } from '../plan.ts';
import type {
  CreateBody,
  CreateContext,
  CrmWriteContext,
  CrmWriteResult,
  UpdateBody,
  UpdateContext,
  VendorRaw,
} from './types.ts';

export { DEFAULT_STAGES } from './stages.ts';
export type {
  CreateBody,
  CreateContext,
  CrmWriteContext,
  CrmWriteResult,
  FieldValue,
  UpdateBody,
  UpdateContext,
  VendorRaw,
  Withheld,
} from './types.ts';

export declare function observeCrm(graph: CrmGraph, config: MappingConfig): CrmObservation;
export declare function observeVendor(
  raw: VendorRaw,
  config: MappingConfig,
  readAt: string,
): VendorObservation;
export declare function createBody(record: Observed, context: CreateContext): CreateBody;
export declare function updateBody(changes: Observed, context: UpdateContext): UpdateBody;
export declare function crmWrite(
  changes: Observed,
  graph: CrmGraph,
  context: CrmWriteContext,
): CrmWriteResult;
/** The graph as it will read once the write is applied: `observeCrm(afterCrmWrite(...))` is the CRM's next base. */
export declare function afterCrmWrite(graph: CrmGraph, write: CrmWrite): CrmGraph;
export declare function crmCreate(vendor: VendorObservation, config: MappingConfig): CrmCreate;
export declare function syncFields(readOnly: VendorObservation['readOnly']): CrmFields;
export declare function pairLines(
  crmLines: readonly OfferLine[],
  vendorLines: readonly OfferLine[],
  knownPairs: readonly LinePair[],
): readonly LinePair[];
export declare function sameValue(field: FieldName, a: unknown, b: unknown, config: MappingConfig): boolean;
