import { html } from 'hono/html';
import { stringify } from 'yaml';
import type { TenantChange, TenantsApplied } from '../../operator/tenants/apply-tenants.ts';
import type { showTenant } from '../../operator/tenants/tenant-state.ts';
import { allows } from '../access/roles.ts';
import type { Session } from '../access/sessions.ts';
import type { Note, Page } from './layout.ts';
import { actionForm, facts, type Html, type Piece, section, stateBadge, table, tenantPath, time } from './parts.ts';

/**
 * The texts of a tenant file and a mapping file that a person typed into the form of a tenant's declaration. Secrets have inputs of their
 * own, and a page never shows them again.
 */
export type Written = {
  readonly text: string;
  readonly mapping: string;
  /** The version of the declaration that the form showed; null in the form of a new tenant. */
  readonly basedOn: number | null;
};

type Result = {
  /**
   * What the person's texts would change in the registry (the table of tenants in Lockstep's database); null before the person has
   * requested this preview.
   */
  readonly preview: TenantsApplied | null;
  readonly note: Note | null;
};

/** An example of a tenant file, with which the form of a new tenant begins. */
export const SAMPLE = `tenant: acme
vendor:
  baseUrl: https://vendor.example.com
  partnerId: P000123
salesforce:
  loginUrl: https://acme.my.salesforce.com
  organizationId: 00D000000000001
  auth: { flow: client-credentials, clientId: CLIENT_ID }
currency: EUR
`;

const SECRETS = [
  ['vendor.apiKey', 'Vendor API key', 'line'],
  ['salesforce.auth.clientSecret', 'Client secret of the External Client App', 'line'],
  ['salesforce.auth.privateKey', 'Private key, for the flow jwt', 'lines'],
  ['webhooks.path', 'Secret path of outbound messages', 'line'],
] as const;

export function connectPage(written: Written, { preview, note }: Result, session: Session): Page {
  const body = html`<p class="lead">Declares a tenant in the registry. Workers and receivers serve it within seconds.</p>
${preview === null ? '' : changesSection(preview)}
${form({ written, path: '/connect', act: 'Connect it', isNew: true }, session)}`;
  return { title: 'Connect a tenant', session, note, body };
}

export type TenantDeclared = Awaited<ReturnType<typeof showTenant>>;

/** The page with a tenant's declaration (its stored configuration), the form that changes it, and the form that removes the tenant. */
export function declarationPage(
  shown: TenantDeclared,
  written: Written | null,
  { preview, note }: Result,
  session: Session,
): Page {
  const { tenant, declaration } = shown;
  const mayChange = allows(session.identity.grants, { role: 'administrator', tenant: null });
  const text = declaration === null ? null : stringify(declaration);
  const body = html`${section('Now', stateFacts(shown))}
${preview === null ? '' : changesSection(preview)}
${text === null ? notHere(shown) : mayChange ? form({ written: written ?? { text, mapping: '', basedOn: shown.version }, path: `${tenantPath(tenant)}/declaration`, act: 'Put it in force', isNew: false }, session) : section('Declaration', html`<pre tabindex="0" aria-label="The declaration">${text}</pre>`, html`<p class="small">An administrator of the installation can change it.</p>`)}
${mayChange && shown.declaredBy === 'registry' && shown.state !== 'removed' ? section('Take out of service', removeForm(tenant, session)) : ''}`;
  return { title: `Declaration of ${tenant}`, session, tenant, at: 'declaration', note, body };
}

function stateFacts({ tenant, state, declaredBy, version, changedAt, unavailable }: TenantDeclared): Html {
  return facts([
    ['Tenant', tenant],
    ['State', stateBadge(state)],
    ['Declared', declaredBy === 'file' ? 'by a tenant file' : html`in the registry, version ${version}`],
    ['Changed', changedAt === null ? null : time(changedAt)],
    ...unavailable.map(({ process, reason }): [string, Piece] => [`${process} cannot serve it`, reason]),
  ]);
}

function notHere({ declaredBy }: TenantDeclared): Html {
  return section(
    'Declaration',
    declaredBy === 'file'
      ? html`<p>A tenant file declares it. Change the file where the processes read it, and restart them.</p>`
      : html`<p>The declaration does not open with the sealing keys of this console.</p>`,
  );
}

type Form = {
  readonly written: Written;
  readonly path: string;
  readonly act: string;
  readonly isNew: boolean;
};

function form({ written, path, act, isNew }: Form, session: Session): Html {
  return section(
    isNew ? 'The tenant file' : 'Declaration',
    html`<form method="post" action="${path}" class="texts"><input type="hidden" name="csrf" value="${session.csrf}">${written.basedOn === null ? '' : html`<input type="hidden" name="basedOn" value="${written.basedOn}">`}
<label for="text">Tenant file</label><textarea id="text" name="text" rows="14" spellcheck="false" required>${written.text}</textarea>
<label for="mapping">Mapping file${isNew ? ', if the tenant has its own' : '; empty: stays as it is'}</label><textarea id="mapping" name="mapping" rows="3" spellcheck="false">${written.mapping}</textarea>
<fieldset><legend>Secrets${isNew ? '' : '; empty: stay as they are'}</legend><p class="small">Stored sealed, and never shown. The file need not name them.</p>
${SECRETS.map(([place, label, kind]) => secretField(place, label, kind))}</fieldset>
<p class="action-line"><button name="do" value="preview" class="plain">Check it</button><label for="registry-why">Why</label><input id="registry-why" name="reason" maxlength="500" autocomplete="off" placeholder="for the audit log"><button name="do" value="apply">${act}</button></p></form>`,
  );
}

function secretField(place: string, label: string, kind: 'line' | 'lines'): Html {
  const id = `secret-${place.replaceAll('.', '-')}`;
  const input =
    kind === 'line'
      ? html`<input id="${id}" name="secret.${place}" type="password" autocomplete="off" spellcheck="false">`
      : html`<textarea id="${id}" name="secret.${place}" rows="3" autocomplete="off" spellcheck="false"></textarea>`;
  return html`<label for="${id}">${label} <span class="small">${place}</span></label>${input}`;
}

function changesSection({ changes, alsoByFile, hiddenMappings }: TenantsApplied): Html {
  return section(
    'What would change',
    html`${changes.map(changeOf)}`,
    ...alsoByFile.map(
      (tenant) => html`<p>${tenant} has a tenant file as well, which wins where a process reads it.</p>`,
    ),
    ...hiddenMappings.map(
      ({ tenant, version }) =>
        html`<p>The mapping file of ${tenant} does not apply, because <a href="${tenantPath(tenant)}/mapping">version ${version} of its mapping</a> is published.</p>`,
    ),
  );
}

const ACTIONS = { add: 'is new', change: 'changes', remove: 'is removed', keep: 'stays as it is' } as const;

function changeOf({ tenant, action, fields }: TenantChange): Html {
  return html`<p>${tenant} ${ACTIONS[action]}.</p>${
    fields.length === 0
      ? ''
      : table(
          { caption: `Changes of ${tenant}`, isStacked: true },
          ['Key', 'Now', 'Then'],
          fields.map(({ at, before, after }) => [at, before ?? 'nothing', after ?? 'nothing']),
        )
  }`;
}

function removeForm(tenant: string, session: Session): Html {
  return actionForm({
    ...{ session, tenant, back: '/', verb: 'tenants remove', button: 'Take it out of service', isPlain: true },
    asks: `Take ${tenant} out of service? Its records stay in the ledger.`,
  });
}
