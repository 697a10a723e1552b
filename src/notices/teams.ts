import type { Message } from '../domain/notices/message.ts';

const COLOURS: Readonly<Record<NonNullable<Message['severity']>, string>> = {
  urgent: 'Attention',
  soon: 'Warning',
  info: 'Default',
};

/** The body for a Teams workflow that posts cards ("When a Teams webhook request is received"): a message with one Adaptive Card. */
export function teamsBody(message: Message): string {
  const { kind, title, text, items, look, severity } = message;
  const colour = kind === 'began' && severity !== null ? COLOURS[severity] : kind === 'ended' ? 'Good' : 'Default';
  const link = look?.startsWith('https://') === true ? look : null;
  const command = look !== null && link === null ? [`Look: ${look}`] : [];
  return JSON.stringify({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            { type: 'TextBlock', text: escaped(title), weight: 'Bolder', size: 'Medium', color: colour, wrap: true },
            ...[text, ...items, ...command].map((line) => ({ type: 'TextBlock', text: escaped(line), wrap: true })),
          ],
          ...(link === null ? {} : { actions: [{ type: 'Action.OpenUrl', title: 'Open the console', url: link }] }),
        },
      },
    ],
  });
}

/** Escapes the characters that an Adaptive Card would read as Markdown (links, emphasis, lists) or as a date (`{{`). */
function escaped(text: string): string {
  return text
    .replace(/[\\`*_{}[\]()#+!<>|~&]/g, (sign) => `\\${sign}`)
    .replace(/^(\d+)\./, '$1\\.')
    .replace(/^-/, '\\-');
}
