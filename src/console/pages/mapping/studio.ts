import { html } from 'hono/html';
import type { MappingCheck } from '../../../operator/mapping/check-mapping.ts';
import type { MappingChoices } from '../../../operator/mapping/mapping-choices.ts';
import type { MappingVersions } from '../../../operator/mapping/mapping-versions.ts';
import type { KeyDifference } from '../../../platform/differences.ts';
import { allows } from '../../access/roles.ts';
import type { Session } from '../../access/sessions.ts';
import type { Note, Page } from '../layout.ts';
import { badge, type Html, type Piece, section, tenantPath, time } from '../parts.ts';
import type { DraftForm } from './draft-form.ts';
import { type DraftShown, fieldRows } from './field-rows.ts';
import { checkSummary, differenceTable, fieldOf, problemText } from './results.ts';
import { codeTables, stageTable } from './tables.ts';
import { backfillOffer, versionsSection } from './versions.ts';

export type StudioShown = {
  readonly tenant: string;
  readonly form: DraftForm;
  /** The draft as a mapping file. */
  readonly text: string;
  readonly choices: MappingChoices | null;
  /** The result of the draft's check; null if the org does not answer. */
  readonly check: MappingCheck | null;
  /** The differences between the mapping in use and the draft; null if the draft cannot be parsed. */
  readonly differences: readonly KeyDifference[] | null;
  readonly versions: MappingVersions;
  /**
   * The number of the published version from which the person began the draft; 0 if none was published. It shows whether another person has
   * published since then.
   */
  readonly basedOn: number;
  readonly mappingsIn: 'ledger' | 'file';
  /** The result of the button that the person pressed last, such as a plan. */
  readonly results: readonly Piece[];
  readonly note: Note | null;
  /**
   * The day (`YYYY-MM-DD`) that two forms suggest for `Deals changed since`. One form plans: it shows how the draft would treat the deals
   * that changed since that day, and writes nothing. The other form starts a backfill of a field for those deals.
   */
  readonly since: string;
};

/**
 * The page on which a person edits a tenant's mapping, with the org's fields beside the vendor's. The draft is checked during typing, and
 * can be tried on one deal, planned for many deals, and published.
 */
export function studioPage(shown: StudioShown, session: Session): Page {
  const { tenant, versions, results, note, since, differences } = shown;
  const { grants } = session.identity;
  const mayPublish = allows(grants, { role: 'administrator', tenant }) && shown.mappingsIn === 'ledger';
  const mayBackfill = allows(grants, { role: 'operator', tenant }) && versions.toBackfill.length > 0;
  const body = html`${source(versions)}
${results as readonly Html[]}
${draft(shown, session)}
${section('What the draft changes', html`<div data-live="differences">${differenceTable(differences ?? [], 'Differences to the present mapping')}</div>`)}
${mayBackfill ? backfillOffer({ tenant, fields: versions.toBackfill, since }, session) : ''}
${versionsSection({ versions, session: mayPublish ? session : null })}`;
  return { title: `Mapping of ${tenant}`, session, tenant, at: 'mapping', script: 'studio', note, body };
}

function source({ current, applies: version, versions, areFilesNewer }: MappingVersions): Html {
  const found = versions.find((one) => one.version === version);
  const applies =
    found === undefined || found.isOfFiles
      ? 'The tenant’s own files give the mapping.'
      : html`Version ${version} applies, published ${time(found.publishedAt)} by ${found.by ?? 'somebody'}.`;
  return html`<p class="lead">${applies}</p>${unopened(version, current)}${
    areFilesNewer
      ? html`<p>${badge('files changed', 'warn')} The tenant’s mapping file has changed since the last publication, and does not apply.</p>`
      : ''
  }`;
}

/**
 * The warning that the newest published version of the mapping cannot be decrypted, so that an older version applies; empty if the newest
 * version applies.
 */
function unopened(applies: number, newest: number): Piece {
  if (applies === newest) return '';
  return html`<p>${badge('does not open', 'bad')} Version ${newest} does not open with the sealing keys of this console, or was changed past Lockstep. Give the console the key that the version was sealed with, or publish the mapping again.</p>`;
}

function draft(shown: StudioShown, session: Session): Html {
  const { tenant, form, choices, check, differences, text, basedOn } = shown;
  const rows: DraftShown = {
    ...{ form, choices },
    problems: problemsByField(check),
    changed: new Set((differences ?? []).flatMap(({ at }) => /^fields\.(\w+)/.exec(at)?.[1] ?? [])),
  };
  return html`<form id="studio" class="studio" method="post" action="${tenantPath(tenant)}/mapping" data-checks>
<input type="hidden" name="csrf" value="${session.csrf}"><input type="hidden" name="basedOn" value="${basedOn}">
${section(
  'Fields',
  html`<div class="map-check"><div role="status" data-live="check">${checkSummary(check, differences)}</div><button name="do" value="check" class="plain">Check</button></div>`,
  html`<div class="map-columns">${orgFieldList(choices)}<div>${fieldRows(rows)}</div></div>`,
)}
<div id="codes">${section('Stages', stageTable(rows))}
${section('Codes of the vendor', html`<p class="small">Codes that the vendor’s documents leave open.</p>`, html`${codeTables(rows)}`)}</div>
<div class="columns">${trySection(session, shown)}${publishSection(session, shown)}</div>
<details class="map-more as-file"><summary>The draft as a file</summary><pre data-live="text" tabindex="0" aria-label="The draft as a mapping file">${text}</pre><p><button name="do" value="download" class="plain" data-stays>Download</button></p></details>
</form>`;
}

function problemsByField(check: MappingCheck | null): DraftShown['problems'] {
  const own = (check?.problems ?? []).map((one) => [fieldOf(one) ?? '', problemText(one)] as const);
  return new Map(
    [...Map.groupBy(own, ([field]) => field)].map(([field, found]) => [field, found.map(([, piece]) => piece)]),
  );
}

/**
 * The org's fields, which can be dragged onto a field of the vendor. Instead of dragging, a person can choose the org's field from the list
 * at the vendor's field.
 */
function orgFieldList(choices: MappingChoices | null): Piece {
  if (choices === null)
    return html`<p class="none">The org cannot be read now. Write the names of its fields yourself.</p>`;
  const fitting = choices.orgFields.filter(({ fits }) => Object.values(fits).includes('holds'));
  return html`<details class="org-fields" open><summary>Fields of the org (${fitting.length})</summary>
<p class="small" id="how-to-drag">Drag one onto a field of the vendor, or choose it there.</p>
<ul class="org-list" aria-describedby="how-to-drag" tabindex="0" aria-label="Fields of the org">${fitting.map(
    ({ name, label, type }) =>
      html`<li class="org-field" draggable="true" data-field="${name}">${label}<span class="ids">${name} · ${type}</span></li>`,
  )}</ul></details>`;
}

function trySection({ identity: { grants } }: Session, { tenant, form, since }: StudioShown): Html {
  const maySee = allows(grants, { role: 'viewer', tenant, values: true });
  return section(
    'Try the draft',
    html`<p class="action-line"><label for="try-id">On a deal</label><input id="try-id" name="id" value="${form.get('id') ?? ''}" placeholder="Record id" autocomplete="off">${
      maySee
        ? html`<label><input type="checkbox" name="values" value="true"${form.get('values') === 'true' ? ' checked' : ''}> with values (noted)</label>`
        : ''
    }<button name="do" value="try">Try</button></p>`,
    html`<p class="action-line"><label for="plan-since">On all deals changed since</label><input id="plan-since" name="since" type="date" value="${form.get('since') ?? since}"><button name="do" value="plan" class="plain">Plan</button></p>`,
  );
}

function publishSection({ identity: { grants } }: Session, { tenant, form, mappingsIn }: StudioShown): Html {
  if (mappingsIn === 'file')
    return section('Publish', html`<p>Here mappings are kept in files. Download the draft, and put it to review.</p>`);
  if (!allows(grants, { role: 'administrator', tenant }))
    return section('Publish', html`<p class="small">An administrator of the tenant can publish a mapping.</p>`);
  return section(
    'Publish',
    html`<p class="action-line"><label for="publish-why">Why</label><input id="publish-why" name="reason" value="${form.get('reason') ?? ''}" maxlength="500" autocomplete="off" placeholder="for the audit log"><label><input type="checkbox" name="anyway" value="true"> also if it does not fit the org</label><button name="do" value="publish" data-asks="Publish the draft?">Publish</button></p>`,
  );
}
