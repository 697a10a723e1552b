import { expect, it } from 'vitest';
import { declareText } from '../../src/platform/declared-text.ts';
import type { TenantDeclaration } from '../../src/platform/tenant-declaration.ts';

const FILE = `tenant: acme
vendor: { baseUrl: https://vendor.example, partnerId: P000123 }
salesforce:
  loginUrl: https://acme.my.salesforce.com
  auth: { flow: client-credentials, clientId: an-id }
currency: EUR
`;
const secrets = { 'vendor.apiKey': 'the-key', 'salesforce.auth.clientSecret': 'the-secret' };
const none = () => null;
const read = (text: string, known: () => TenantDeclaration | null = none, more: object = {}) =>
  declareText({ text, mapping: null, secrets, ...more }, known, { env: {} });

it('seals the secrets that are given with the text, at their keys', () => {
  expect(read(FILE)).toMatchObject({
    tenant: 'acme',
    declaration: {
      content: { vendor: { apiKey: 'sealed:vendor.apiKey' }, salesforce: { auth: { flow: 'client-credentials' } } },
      secrets,
    },
  });
});

it('keeps secrets and mapping file of the present declaration that are not given again', () => {
  const mapping = 'fields: { description: { rule: crm } }';
  const before = read(FILE, none, { mapping }) as { readonly declaration: TenantDeclaration };
  const text = JSON.stringify({ ...before.declaration.content, prefer: 'crm' });
  const after = read(text, () => before.declaration, { secrets: { 'vendor.apiKey': 'another-key' } });
  expect(after).toMatchObject({
    declaration: { content: { prefer: 'crm' }, mapping, secrets: { ...secrets, 'vendor.apiKey': 'another-key' } },
  });
});

it.each([
  ['is no tenant file', '- a list', {}, 'this is no tenant file'],
  ['cannot be read', 'tenant: [', {}, 'this line is not indented'],
  ['lacks a secret', FILE, { secrets: {} }, 'vendor.apiKey'],
  ['names a mapping file without its text', `${FILE}mapping: acme.mapping.yaml\n`, {}, 'give its text as well'],
  ['names another tenant’s variable', `${FILE}webhooks: { path: env:OTHER_PATH }\n`, {}, 'OTHER_PATH'],
  [
    'names a file outside the folders of secrets',
    `${FILE}webhooks: { path: file:/etc/passwd }\n`,
    {},
    'LOCKSTEP_SECRETS',
  ],
])('says which line is wrong, and no value, if a text %s', (_, text, more, message) => {
  const found = read(text, none, more) as { readonly problems: readonly { readonly message: string }[] };
  const said = found.problems.map((problem) => problem.message).join('\n');
  expect(said).toContain(message);
  expect(said).not.toMatch(/the-key|the-secret/);
});
