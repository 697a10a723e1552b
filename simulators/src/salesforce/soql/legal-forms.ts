/** Legal SOQL that is not simulated, with a query that has it. The page shows the list, and a test asks each query. */
export type LegalForm = {
  readonly form: string;
  readonly example: string;
  /** Finds the form in a query that the parser refuses; absent if the query is parsed and refused later. */
  readonly pattern?: RegExp;
};

export const LEGAL_FORMS: readonly LegalForm[] = [
  {
    form: 'FOR VIEW together with FOR REFERENCE',
    example: 'SELECT Id FROM Account FOR VIEW FOR REFERENCE',
    pattern: /\bFOR\s+(?:VIEW\s+FOR\s+REFERENCE|REFERENCE\s+FOR\s+VIEW)\b/i,
  },
  {
    form: 'UPDATE TRACKING together with VIEWSTAT',
    example: 'SELECT Id FROM Account UPDATE TRACKING, VIEWSTAT',
    pattern: /\bUPDATE\s+(?:TRACKING\s*,\s*VIEWSTAT|VIEWSTAT\s*,\s*TRACKING)\b/i,
  },
  {
    form: 'A list of relationships with aliases in FROM',
    example: "SELECT c.Id FROM Contact c, c.Account a WHERE a.Name = 'Northwind'",
    pattern: /\bFROM\s+\w+(?:\s+(?:AS\s+)?\w+)?\s*,\s*\w+(?:\.\w+)+/i,
  },
  {
    form: 'A time literal',
    example: 'SELECT Id FROM Account WHERE Opens__c > 10:00:00.000Z',
    pattern: /(?<![\w:.-])\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z\b/i,
  },
  {
    form: 'A number with an exponent',
    example: 'SELECT Id FROM Opportunity WHERE Amount > 1E5',
    pattern: /(?<![\w.])[+-]?\d+(?:\.\d+)?E[+-]?\d+\b/i,
  },
  {
    form: 'NOT before another condition of HAVING',
    example: 'SELECT Name FROM Account GROUP BY Name HAVING (NOT COUNT(Id) > 1) AND Name != null',
  },
  { form: 'USING SCOPE team', example: 'SELECT Id FROM Account USING SCOPE team' },
  { form: 'FORMAT', example: 'SELECT FORMAT(Amount) FROM Opportunity' },
  {
    form: 'DISTANCE',
    example: "SELECT Id FROM Account WHERE DISTANCE(BillingAddress, GEOLOCATION(37.7, -122.4), 'mi') < 20",
  },
  {
    form: 'WITH DATA CATEGORY',
    example: 'SELECT Id FROM Account WITH DATA CATEGORY Place__c AT here__c',
  },
];

const QUOTED = /'(?:\\.|[^'\\])*'/g;

/** The legal form of a query that the parser refused; undefined if it has none. */
export function legalFormIn(soql: string): string | undefined {
  const unquoted = soql.replace(QUOTED, "''");
  return LEGAL_FORMS.find(({ pattern }) => pattern?.test(unquoted))?.form;
}
