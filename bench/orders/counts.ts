import type { Stack } from '../../test/support/stack/stack.ts';

/** The number of requests of each operation that a simulator got; unlike its log, it is unbounded. */
export type Counts = Readonly<Record<string, number>>;

export async function countsOf({
  vendor,
  salesforce,
}: Stack): Promise<{ readonly vendor: Counts; readonly crm: Counts }> {
  return { vendor: await ask(vendor.adminUrl), crm: await ask(salesforce.adminUrl) };
}

async function ask(adminUrl: string): Promise<Counts> {
  // A date in the future, so that the answer contains no log lines.
  const answer = await fetch(`${adminUrl}/requests?since=9999-01-01T00:00:00.000Z`);
  return ((await answer.json()) as { readonly counts: Counts }).counts;
}

export function since(before: Counts, after: Counts): Counts {
  const left = Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)] as const);
  return Object.fromEntries(left.filter(([, count]) => count > 0));
}

export function ofOperations(counts: Counts, operations: readonly string[]): number {
  return operations.reduce((all, operation) => all + (counts[operation] ?? 0), 0);
}
