import type { Mail, MailContent, MailList } from './mail.js';

/** The plain form of a mail. */
export const plainText = (content: MailContent): string => {
  const { greeting, paragraphs, lists = [], more, button, ending, stop } = content;
  const parts = [
    greeting,
    ...paragraphs,
    ...lists.map(plainList),
    ...(more === undefined ? [] : [more]),
    button.address,
    ending,
    ...(stop ? [`${stop.label}\n${stop.address}`] : []),
  ];
  return parts.join('\n\n') + '\n';
};

const plainList = ({ heading, items }: MailList): string =>
  [
    heading,
    ...items.map(({ title, details, address }) => `- ${title}\n  ${details}\n  ${address}`),
  ].join('\n\n');

/** The content id of the logo, by which the HTML form names the attached picture (RFC 2392). */
export const LOGO_ID = 'logo';

/** The colour of the button unless the branding has another. */
const BUTTON_COLOR = '#3a53d0';

/**
 * The HTML form of a mail: styles inline, and no picture but the attached logo, because programs for mail drop
 * anything else.
 */
export function html({
  content,
  locale,
  branding,
}: Pick<Mail, 'content' | 'locale' | 'branding'>): string {
  const { subject, greeting, paragraphs, lists = [], more, button, ending, stop } = content;
  const color = branding.accentLight || BUTTON_COLOR;
  const logo = branding.logo
    ? `<p style="margin:0 0 24px"><img src="cid:${LOGO_ID}" alt="${escape(branding.name)}" height="40" style="height:40px;max-width:240px"></p>\n`
    : '';
  const body = [
    ...[greeting, ...paragraphs].map(paragraph),
    ...lists.map((list) => htmlList(list, color)),
    ...(more === undefined ? [] : [paragraph(more)]),
  ];
  const stopped = stop
    ? `<p style="margin:16px 0 0;font-size:13px"><a href="${escape(stop.address)}" style="color:#5a5f73">${escape(stop.label)}</a></p>\n`
    : '';
  return `<!doctype html>
<html lang="${escape(locale)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(subject)}</title></head>
<body style="margin:0;padding:24px;background:#f4f5f9;color:#1b1d28;font:16px/1.5 Arial,sans-serif">
<div style="max-width:520px;margin:0 auto;padding:32px;background:#ffffff;border-radius:12px">
${logo}${body.join('\n')}
<p style="margin:24px 0"><a href="${escape(button.address)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:${color};color:#ffffff;text-decoration:none">${escape(button.label)}</a></p>
<p style="margin:0 0 16px;font-size:13px;color:#5a5f73;overflow-wrap:anywhere">${escape(button.address)}</p>
<p style="margin:0;font-size:13px;color:#5a5f73">${escape(ending)}</p>
${stopped}</div>
</body>
</html>
`;
}

const paragraph = (text: string): string => `<p style="margin:0 0 16px">${escape(text)}</p>`;

function htmlList({ heading, items }: MailList, color: string): string {
  const lines = items.map(
    ({ title, details, address }) =>
      `<li style="margin:0 0 8px"><a href="${escape(address)}" style="color:${color}">${escape(title)}</a><br><span style="font-size:13px;color:#5a5f73">${escape(details)}</span></li>`,
  );
  return `<h2 style="margin:24px 0 8px;font-size:16px">${escape(heading)}</h2>
<ul style="margin:0 0 16px;padding:0 0 0 20px;overflow-wrap:anywhere">
${lines.join('\n')}
</ul>`;
}

const escape = (text: string): string =>
  text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);
