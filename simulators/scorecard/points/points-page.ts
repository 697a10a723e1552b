import { POINTS } from './points.ts';

const LEAD = `# What the simulated org is held to

Each line is shown to hold by calls over HTTP, in a test and by \`npm run scorecard:salesforce\`. How sure it is that a real org does
so: **documented**, its documents say it; **published**, clients of real orgs have published what it answered; **assumed**,
neither was found. \`npm run docs:points\` writes this page.
`;

/** The page of the documented points, made from their table. */
export function pointsPage(): string {
  const sections = Object.entries(POINTS).map(([title, points]) => {
    const rows = points.map(({ claim, source, sure }) => `| ${[claim, source, sure].map(cell).join(' | ')} |`);
    return `\n## ${title}\n\n| What a real org does | Where it is written | How sure |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
  });
  return LEAD + sections.join('');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
