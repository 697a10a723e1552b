import { html } from 'hono/html';
import type { PageContent, Section } from '../core/page/layout.ts';
import { adminCommand, commands, table } from '../core/page/parts.ts';
import type { RequestLog } from '../core/request-log.ts';
import { ADMIN_CALLS, COVERAGE, PUB_SUB_COVERAGE } from './coverage.ts';
import type { SignIn } from './oauth/clients.ts';
import type { OpenOrg } from './open-org.ts';
import { LEGAL_FORMS } from './soql/legal-forms.ts';

/** The data for the Salesforce simulator's page. */
export type SalesforcePageParts = {
  readonly open: Pick<OpenOrg, 'org' | 'signIns' | 'queue' | 'outboundUrl'>;
  readonly log: RequestLog;
};

const API = '/services/data/v67.0';

/** The content of the Salesforce simulator's page, for developers who test an integration against it. */
export function salesforceContent({ open, log }: SalesforcePageParts, origin: string): PageContent {
  const { org, queue } = open;
  return {
    title: 'Salesforce simulator',
    lead: html`<p>An org over real HTTP: OAuth, the REST and Bulk APIs, SOQL, composite calls and outbound messages. Its
objects and fields come from a Salesforce DX package, its rules from Salesforce's documentation. Everything on this page
is also a call under <code>/__admin</code>.</p>`,
    chips: [
      ['Org', org.identity.organizationId],
      ['API', 'v31.0 to v67.0'],
      ['Requests', String(log.count())],
      ['Outbound messages waiting', String(queue.all().length)],
    ],
    sections: [
      startSection(open.signIns.user.accessToken, origin),
      signInSection(open, origin),
      objectSection(open),
      outboundSection(open, origin),
      coverageSection(),
    ],
  };
}

function startSection(accessToken: string, origin: string): Section {
  const call = (rest: string): string => `curl -H 'authorization: Bearer ${accessToken}' ${rest}`;
  const body = html`<p>Point your client's login URL at <code>${origin}</code>. For operations:
<a href="/healthz">/healthz</a>, <a href="/readyz">/readyz</a>, <a href="/metrics">/metrics</a>.</p>
${commands(
  call(`'${origin}${API}/query?q=SELECT+Id,Name+FROM+Account+LIMIT+5'`),
  call(`-H 'content-type: application/json' -d '{"Name":"Northwind Turbines"}' ${origin}${API}/sobjects/Account`),
  call(`${origin}${API}/sobjects/Opportunity/describe`),
)}`;
  return { id: 'start', title: 'First calls', body };
}

function signInSection({ signIns }: SalesforcePageParts['open'], origin: string): Section {
  const row = (who: string, { username, clientId, clientSecret, accessToken }: SignIn) =>
    [who, username, clientId, clientSecret, accessToken].map((text, index) =>
      index === 0 ? text : html`<code>${text}</code>`,
    );
  const { clientId, clientSecret } = signIns.integration;
  const body = html`<p>Two users, each with a client of its own: a sales person, and the integration, whose changes fire no
outbound messages. The access tokens are valid at once; clients sign in with client credentials or a JWT.</p>
${table(
  ['Who', 'Username', 'Client id', 'Client secret', 'Access token'],
  [row('sales person', signIns.user), row('integration', signIns.integration)],
)}
${commands(
  `curl ${origin}/services/oauth2/token -d grant_type=client_credentials -d client_id=${clientId} -d client_secret=${clientSecret}`,
)}`;
  return { id: 'sign-ins', title: 'Sign-ins', body };
}

function objectSection({ org }: SalesforcePageParts['open']): Section {
  const rows = org.store.schema.objects.map(({ name, label, fields }) => {
    const custom = Array.from(fields.values()).filter((field) => field.custom);
    return [
      html`<code>${name}</code>`,
      label,
      String(fields.size),
      custom.length === 0 ? '' : custom.map((field) => field.name).join(', '),
    ];
  });
  const body = html`<p>What there is in this org: standard objects with the fields that are simulated, and what the package
adds.</p>
<details><summary>${rows.length} objects</summary>${table(['Object', 'Label', 'Fields', 'Of the package'], rows)}</details>`;
  return { id: 'objects', title: 'Objects', body };
}

function outboundSection({ queue, outboundUrl }: SalesforcePageParts['open'], origin: string): Section {
  const url = outboundUrl();
  const body = html`<p id="outbound-state" data-live>${
    url === null
      ? 'Outbound messages are held back: nobody said where they go.'
      : 'Outbound messages go to the address that was set.'
  } <b>${queue.all().length}</b> wait to be acknowledged.</p>
${commands(
  adminCommand(origin, 'GET', '/outbound'),
  adminCommand(origin, 'PUT', '/outbound', { url: 'http://127.0.0.1:8080/hooks' }),
)}`;
  return { id: 'outbound', title: 'Outbound messages', body };
}

function coverageSection(): Section {
  const rows = COVERAGE.map(({ method, path, status, notes }) => [html`<code>${method} ${path}</code>`, status, notes]);
  const methods = PUB_SUB_COVERAGE.map(({ method, status, notes }) => [html`<code>${method}</code>`, status, notes]);
  const forms = LEGAL_FORMS.map(({ form, example }) => [form, html`<code>${example}</code>`]);
  const calls = ADMIN_CALLS.map(({ call, does }) => [html`<code>${call}</code>`, does]);
  const body = html`<p>How much of Salesforce's HTTP surface is simulated. A path without <code>/services</code> is below
<code>${API}</code>.</p>
<details><summary>${rows.length} routes</summary>${table(['Route', 'Covered', 'Notes'], rows)}</details>
<p>And of the Pub/Sub API, over gRPC, where objects are selected for Change Data Capture.</p>
<details><summary>${methods.length} methods</summary>${table(['Method', 'Covered', 'Notes'], methods)}</details>
<p>SOQL that an org takes and this simulator refuses with 501 and <code>NOT_SIMULATED</code>. What clients asked for so is under
<code>asked</code> of <code>GET /__admin/notices</code>.</p>
<details><summary>${forms.length} forms</summary>${table(['Form', 'Example'], forms)}</details>
<p>What can be done to the org, beside what every simulator has: calls below <code>/__admin</code>.</p>
<details><summary>${calls.length} calls</summary>${table(['Call', 'What it does'], calls)}</details>`;
  return { id: 'coverage', title: 'Coverage', body };
}
