import { lensOf } from '../mapping/index.ts';
import type { FieldName } from '../record/canonical.ts';
import { type MappingConfig, ruleOf } from '../record/mapping-config.ts';
import type { VendorObservation } from '../record/observation.ts';

/**
 * The kinds of writes of a field, by what Lockstep must know about the vendor's side before the write. `ruled`: nothing, because the CRM
 * wins each conflict. `scalar`: a recent value. `personal`: a value that was read, because a person decides conflicts. `whole`: the whole
 * record as read, because the value replaces the vendor's whole list or legal entity and the vendor has no ETags.
 */
type Use = 'ruled' | 'scalar' | 'personal' | 'whole';

/**
 * How Lockstep knows the vendor's side when it decides. `search`: from a search; `kept`: from a snapshot that another worker stored;
 * `optimistic`: from a reading in which Lockstep's own later writes replace the read values; `read`: from a new reading.
 */
type Evidence = 'unread' | NonNullable<VendorObservation['source']> | 'optimistic' | 'read';

/** For each way to know the vendor's side, the writes that it permits. Before any other write, Lockstep reads the vendor. */
const PERMITS: Readonly<Record<Evidence, readonly Use[]>> = {
  unread: ['ruled'],
  search: ['ruled', 'scalar'],
  kept: ['ruled', 'scalar'],
  optimistic: ['ruled', 'scalar', 'personal'],
  read: ['ruled', 'scalar', 'personal', 'whole'],
};

/**
 * Whether Lockstep knows enough of the vendor's side to write these fields there. `reading`: null if the vendor was not
 * read.
 */
export function permits(
  reading: VendorObservation | null,
  fields: readonly FieldName[],
  config: MappingConfig,
): boolean {
  return fields.every((field) => PERMITS[evidenceOf(reading, field)].includes(useOf(field, config)));
}

/** How Lockstep knows the vendor's value of a field. A value that Lockstep has just sent counts like a read value. */
function evidenceOf(reading: VendorObservation | null, field: FieldName): Evidence {
  if (reading === null) return 'unread';
  if (reading.source !== undefined) return reading.source;
  return reading.optimistic?.includes(field) === false ? 'optimistic' : 'read';
}

function useOf(field: FieldName, config: MappingConfig): Use {
  if (!lensOf(field).scalar) return 'whole';
  const rule = ruleOf(field, config);
  if (rule === 'crm') return 'ruled';
  return field === 'status' || rule === 'manual' ? 'personal' : 'scalar';
}
