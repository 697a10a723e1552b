import type { SalesforceSimulator } from 'lockstep-simulators';
import type { SalesPerson } from './http.ts';

type RowCall = { readonly path: string; readonly fields?: object | undefined; readonly client?: string | undefined };

/** Reads a row with one of the org's sign-ins or as a sales person, or writes the fields. */
export async function rowAs(
  salesforce: SalesforceSimulator,
  who: 'integration' | 'user' | SalesPerson,
  { path, fields, client }: RowCall,
) {
  const { accessToken } = typeof who === 'string' ? salesforce[who] : who;
  const answer = await salesforce.fetch(
    new Request(`${salesforce.loginUrl}/services/data/v67.0/sobjects/${path}`, {
      method: fields === undefined ? 'GET' : 'PATCH',
      headers: {
        authorization: `Bearer ${accessToken}`,
        'content-type': 'application/json',
        'sforce-call-options': `client=${client ?? 'other'}`,
      },
      ...(fields === undefined ? {} : { body: JSON.stringify(fields) }),
    }),
  );
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
}
