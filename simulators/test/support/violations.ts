type Violation = { readonly operation: string; readonly rule: string; readonly place: string };

/** Requests to the vendor simulator since its last reset that the documents do not allow, one sentence each. */
export async function violationsAt(adminUrl: string): Promise<readonly string[]> {
  const answer = await fetch(`${adminUrl}/violations`);
  const { violations } = (await answer.json()) as { readonly violations: readonly Violation[] };
  return violations.map(
    ({ operation, rule, place }) => `${operation} was sent against the vendor's documents: ${rule} at "${place}"`,
  );
}
