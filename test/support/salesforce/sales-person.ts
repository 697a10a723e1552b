import type { SalesforceSimulator } from 'lockstep-simulators';

export type Answer = { readonly status: number; readonly body: unknown };

/** A user of the org with the profile Standard User and some permission sets of the package, who works by REST. */
export type SalesPerson = {
  readonly id: string;
  readonly accessToken: string;
  /** One request below `/services/data/v67.0`. Refusals are answers too. */
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  /** The rows of a query; throws its error. */
  query(soql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
};

/** Adds a sales person to a simulated org. */
export async function salesPerson(
  { adminUrl, url }: Pick<SalesforceSimulator, 'adminUrl' | 'url'>,
  lastName: string,
  permissionSets: readonly string[],
): Promise<SalesPerson> {
  const made = await send(`${adminUrl}/users`, 'POST', {}, { lastName, permissionSets });
  if (made.status !== 200) throw new Error(JSON.stringify(made));
  const { id, accessToken } = made.body as { id: string; accessToken: string };
  const headers = { authorization: `Bearer ${accessToken}` };
  const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
    send(`${url}/services/data/v67.0${path}`, method, headers, body);
  return {
    id,
    accessToken,
    call,
    query: async (soql) => {
      const answer = await call('GET', `/query?q=${encodeURIComponent(soql)}`);
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      return (answer.body as { records: readonly Readonly<Record<string, unknown>>[] }).records;
    },
  };
}

async function send(url: string, method: string, headers: Record<string, string>, body?: unknown): Promise<Answer> {
  const answer = await fetch(url, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
}
