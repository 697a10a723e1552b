import type { Message } from '../domain/notices/message.ts';

/** The maximum number of characters in one text block that Lockstep sends to Slack. */
const MOST_TEXT = 2_900;

/** The body for an incoming webhook of Slack. Every text is plain, so that it can neither mention people nor make links. */
export function slackBody(message: Message): string {
  const { title, text, items, look, severity } = message;
  const lines = [text, ...items.map((item) => `• ${item}`), ...(look === null ? [] : [`Look: ${look}`])];
  const plain = (content: string) => ({ type: 'plain_text', text: content.slice(0, MOST_TEXT), emoji: false });
  return JSON.stringify({
    // The text of the notification on a phone. Unlike the blocks, Slack reads it as its own markup.
    text: escaped(title),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: { ...plain(title), text: title.slice(0, 150) } },
      { type: 'section', text: plain(lines.join('\n')) },
      ...(severity === null ? [] : [{ type: 'context', elements: [plain(severity)] }]),
    ],
  });
}

/** Escapes `&`, `<` and `>`, because Slack would read `<` as the start of a mention or a link. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
