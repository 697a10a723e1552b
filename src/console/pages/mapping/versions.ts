import { html } from 'hono/html';
import type { FieldName } from '../../../domain/record/canonical.ts';
import { counted } from '../../../domain/values/counted.ts';
import type { MappingVersions, VersionShown } from '../../../operator/mapping/mapping-versions.ts';
import type { Session } from '../../access/sessions.ts';
import { actionForm, badge, type Html, type Piece, section, table, tenantPath, time } from '../parts.ts';
import { differenceTable } from './results.ts';

type Shown = {
  readonly versions: MappingVersions;
  /** The session of a person who may publish; null for others. */
  readonly session: Session | null;
};

/**
 * The section with the published versions of a tenant's mapping. For a person who may publish, each version that does not apply has a form
 * that publishes it again.
 */
export function versionsSection({ versions: shown, session }: Shown): Html {
  const { tenant, current, applies, versions } = shown;
  const rows = versions.map((one): readonly Piece[] => [
    html`${one.version} ${one.version === applies ? badge('applies', 'good') : ''}`,
    time(one.publishedAt),
    one.by ?? 'unknown',
    html`${one.reason ?? '–'}${tookBack(one)}`,
    changes(one),
    session === null || one.version === applies ? '' : takeBack({ tenant, current, version: one.version, session }),
  ]);
  const heads = ['Version', 'Published', 'By', 'Why', 'What it changed', 'Take back'];
  const isOfFiles = current === 0 || versions[0]?.isOfFiles === true;
  return section(
    'Versions',
    table(
      { caption: 'Versions of the mapping', none: 'None was published: the tenant’s own files apply.' },
      heads,
      rows,
    ),
    session === null || isOfFiles
      ? ''
      : html`<details class="map-more"><summary>Let the tenant’s own mapping file apply again</summary>${takeBack({ tenant, current, version: 0, session })}</details>`,
  );
}

function tookBack({ takenBackTo, isOfFiles }: VersionShown): Piece {
  if (isOfFiles) return html`<span class="ids">the tenant’s own files apply</span>`;
  return takenBackTo === null ? '' : html`<span class="ids">brings back version ${takenBackTo}</span>`;
}

function changes({ version, differences }: VersionShown): Piece {
  if (differences === null) return 'cannot be read here';
  if (differences.length === 0) return 'nothing';
  return html`<details><summary>${counted(differences.length, 'setting')}</summary>${differenceTable(differences, `Changes of version ${version}`)}</details>`;
}

type TakeBack = {
  readonly tenant: string;
  readonly current: number;
  readonly version: number;
  readonly session: Session;
};

function takeBack({ tenant, current, version, session }: TakeBack): Html {
  const to = version === 0 ? 'the tenant’s own files' : `version ${version}`;
  return actionForm({
    ...{ session, tenant, verb: 'mapping take-back', back: `${tenantPath(tenant)}/mapping` },
    ...{ button: `Take back to ${version === 0 ? 'the files' : version}`, id: `take-back-${version}` },
    hidden: { version: String(version), basedOn: String(current) },
    asks: `Let ${to} apply again?`,
  });
}

/**
 * The section that offers a backfill of the fields whose mapping the last publication changed. The backfill syncs these fields of linked
 * deals now; without it, a deal follows the mapping when it next changes.
 */
export function backfillOffer(
  { tenant, fields, since }: { readonly tenant: string; readonly fields: readonly FieldName[]; readonly since: string },
  session: Session,
): Html {
  const names = fields.join(', ');
  return section(
    'Backfill',
    html`<p>The last version changed ${names}. Linked deals follow when they next change; a backfill of the field lets them follow now, with the vendor’s spare quota.</p>`,
    html`${fields.map((field) => backfillForm({ tenant, field, since }, session))}`,
  );
}

type Offer = { readonly tenant: string; readonly field: FieldName; readonly since: string };

function backfillForm({ tenant, field, since }: Offer, session: Session): Html {
  return actionForm({
    ...{ session, tenant, verb: 'backfill', back: `${tenantPath(tenant)}/backfill` },
    ...{ button: `Backfill ${field}`, id: `backfill-${field}`, hidden: { fields: field } },
    fields: html`<label for="since-${field}">Deals changed since</label><input id="since-${field}" name="since" type="date" required value="${since}">`,
    asks: `Begin a backfill of ${field} in ${tenant}?`,
  });
}
