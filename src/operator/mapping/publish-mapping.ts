import type { FieldName } from '../../domain/record/canonical.ts';
import type { MappingConfig } from '../../domain/record/mapping-config.ts';
import { counted } from '../../domain/values/counted.ts';
import type { MappingLedger } from '../../ledger/tenants/mapping-ledger.ts';
import type { KeyDifference } from '../../platform/differences.ts';
import { mappingDifference } from '../../platform/mapping-difference.ts';
import type { MappingPublication, MappingVersion } from '../../platform/mapping-version.ts';
import { filesDigest, filesMappingOf, parsePublished } from '../../platform/published-mapping.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { checkDraft } from './check-draft.ts';
import type { MappingPorts } from './check-mapping.ts';
import { fieldsToBackfill } from './fields-to-backfill.ts';
import { mappingWith } from './show-mapping.ts';

export type MappingPublished = {
  readonly shape: 'mapping-published/1';
  readonly tenant: string;
  readonly version: number;
  /**
   * Set if this publication lets an earlier mapping apply again: the version that contains the earlier mapping, or 0 for the mapping in the
   * tenant's files. Null if the mapping is new.
   */
  readonly takenBackTo: number | null;
  readonly differences: readonly KeyDifference[];
  /**
   * Fields that the new mapping treats differently, without an immediate effect on linked deals: each deal keeps its values until the field
   * changes again or an operator starts a backfill.
   */
  readonly toBackfill: readonly FieldName[];
};

/** Thrown if a mapping cannot be published. The message names the reason and the repair. */
export class CannotPublish extends Error {
  override readonly name = 'CannotPublish';
}

export type PublishPorts = {
  readonly ledger: MappingLedger;
  /** Connects to the org with read access to the fields that a mapping names, in order to check whether the mapping fits the org. */
  readonly org: (mapping: MappingConfig) => Promise<MappingPorts>;
  readonly now: () => string;
};

/** Who publishes a mapping and why, and on which version the publication is based. */
type Asked = {
  /**
   * The newest version that the publishing operator saw; 0 if there was none. If a newer version exists, the publication is refused, so
   * that no version is overwritten unseen.
   */
  readonly basedOn: number;
  readonly by: string;
  readonly reason: string | null;
};

type Mapped = Pick<Tenant, 'tenant' | 'mapping' | 'plainMapping' | 'publishedMapping' | 'imports'>;

/**
 * Publishes the text of a mapping file as the tenant's mapping. Refuses a text that cannot be parsed, a mapping that changes nothing, and a
 * publication if a version newer than `basedOn` exists. Without `anyway`, also refuses a mapping that does not fit the org in a point in
 * which the present mapping fits. Throws `CannotPublish`, and the CRM's errors.
 */
export async function publishMapping(
  ports: PublishPorts,
  tenant: Mapped,
  { text, anyway, ...asked }: Asked & { readonly text: string; readonly anyway: boolean },
): Promise<MappingPublished> {
  const parsed = parsePublished(null, text);
  if ('problems' in parsed) throw new CannotPublish(parsed.problems.map(lineOf).join('\n'));
  const mapping = mappingWith(tenant, parsed);
  if (mappingDifference(tenant.mapping, mapping).length === 0)
    throw new CannotPublish('The mapping does not differ from the present one, so nothing was published.');
  if (!anyway) await refuseNewFailures(ports, tenant, mapping, text);
  return published(ports, tenant, mapping, { ...asked, text, takenBackTo: null });
}

/**
 * Lets an earlier mapping apply again, by publishing it as a new version. `version`: the version that contains the earlier mapping; 0 for
 * the mapping in the tenant's files. Throws `CannotPublish`.
 */
export async function takeMappingBack(
  ports: Pick<PublishPorts, 'ledger' | 'now'>,
  tenant: Mapped,
  { version, ...asked }: Asked & { readonly version: number },
): Promise<MappingPublished> {
  if (version === 0) return published(ports, tenant, filesMappingOf(tenant), { ...asked, text: null, takenBackTo: 0 });
  const found = (await ports.ledger.mappingVersions(tenant.tenant, MOST_VERSIONS)).find(
    (one) => one.version === version,
  );
  if (found === undefined)
    throw new CannotPublish(`There is no version ${version}: lockstep mapping versions lists what there is.`);
  const text = textOf(found);
  return published(ports, tenant, mappingAt(tenant, text, version), { ...asked, text, takenBackTo: version });
}

/** The maximum number of a tenant's published versions that are read in search of a version, newest first. */
export const MOST_VERSIONS = 1_000;

function textOf({ version, content }: MappingVersion): string | null {
  if (content !== null) return content.text;
  throw new CannotPublish(`Version ${version} does not open with the sealing keys of this process.`);
}

function mappingAt(tenant: Mapped, text: string | null, version: number): MappingConfig {
  if (text === null) return filesMappingOf(tenant);
  const parsed = parsePublished(version, text);
  if ('problems' in parsed)
    throw new CannotPublish(`Version ${version} cannot be read any more: ${parsed.problems.map(lineOf).join('; ')}`);
  return mappingWith(tenant, parsed);
}

async function published(
  { ledger, now }: Pick<PublishPorts, 'ledger' | 'now'>,
  tenant: Mapped,
  mapping: MappingConfig,
  { basedOn, by, reason, text, takenBackTo }: Asked & Pick<MappingPublication, 'text' | 'takenBackTo'>,
): Promise<MappingPublished> {
  const content = { text, files: filesDigest(tenant), takenBackTo, by, reason };
  const version = await ledger.publishMapping(tenant.tenant, content, basedOn, now());
  if (version === null) throw new CannotPublish(await whatChanged(ledger, tenant, basedOn));
  const differences = mappingDifference(tenant.mapping, mapping);
  return {
    ...{ shape: 'mapping-published/1', tenant: tenant.tenant, version, takenBackTo, differences },
    toBackfill: fieldsToBackfill(tenant.mapping, mapping),
  };
}

/**
 * The message for a publication that was refused because there is a newer version: who published that version, and which settings it
 * changed.
 */
async function whatChanged(ledger: MappingLedger, tenant: Mapped, basedOn: number): Promise<string> {
  const versions = await ledger.mappingVersions(tenant.tenant, MOST_VERSIONS);
  const [newest] = versions;
  if (newest === undefined) return `Version ${basedOn} of the mapping is gone: look at lockstep mapping versions.`;
  const seen = versions.find(({ version }) => version === basedOn);
  const [before, after] = [seen, newest].map((one) => mappingOrNull(tenant, one ?? null));
  const keys = before == null || after == null ? [] : mappingDifference(before, after).map(({ at }) => at);
  const shown = keys.slice(0, MOST_KEYS).join(', ');
  const what =
    keys.length === 0 ? '' : `: ${shown}${keys.length > MOST_KEYS ? ` and ${keys.length - MOST_KEYS} more` : ''}`;
  const who = newest.content?.by ?? 'somebody';
  return `Nothing was published, because ${who} published version ${newest.version} after you began with version ${basedOn}. It changed ${counted(keys.length, 'setting')}${what}. Compare, then publish on version ${newest.version}.`;
}

const MOST_KEYS = 6;

function mappingOrNull(tenant: Mapped, found: MappingVersion | null): MappingConfig | null {
  if (found === null) return filesMappingOf(tenant);
  try {
    return mappingAt(tenant, textOf(found), found.version);
  } catch (error) {
    if (error instanceof CannotPublish) return null;
    throw error;
  }
}

/**
 * Checks a new mapping and the present mapping against the org. Throws `CannotPublish` if the new mapping fails in a point in which the
 * present mapping does not fail.
 */
async function refuseNewFailures(
  { org }: PublishPorts,
  tenant: Mapped,
  mapping: MappingConfig,
  text: string,
): Promise<void> {
  const failures = async (given: string | null) => {
    const { problems } = await checkDraft(await org(mapping), tenant, given);
    return problems.filter(({ verdict }) => verdict === 'fails');
  };
  const known = new Set((await failures(null)).map(({ at, what }) => `${at} ${what}`));
  const added = (await failures(text)).filter(({ at, what }) => !known.has(`${at} ${what}`));
  if (added.length === 0) return;
  const lines = added.map(({ at, what, repair }) => `${at}: ${what}; ${repair ?? ''}`);
  throw new CannotPublish(`The mapping does not fit the org, so it was not published:\n${lines.join('\n')}`);
}

function lineOf({ file, line, message }: { file: string; line: number; message: string }): string {
  return `${file}:${line}: ${message}`;
}
