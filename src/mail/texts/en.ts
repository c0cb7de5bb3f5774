import type { MailTexts } from './mail-texts.js';

export const en: MailTexts = {
  invitation: ({ name, login, address, host }) => ({
    subject: `Your account at ${host}`,
    greeting: `Hello ${name},`,
    paragraphs: [
      `You are invited to ${host}. Your login is ${login}.`,
      'Open this link and choose a password. The link works once, and for 72 hours.',
    ],
    button: { label: 'Choose a password', address },
    ending: 'If you did not expect this mail, ask the administrator of your organization.',
  }),
  'password-reset': ({ name, login, address, host }) => ({
    subject: `A new password for ${host}`,
    greeting: `Hello ${name},`,
    paragraphs: [
      `Somebody asked for a new password for your account ${login} at ${host}.`,
      'Open this link and set one. The link works once, and for 30 minutes. It ends all sessions and API keys of the account.',
    ],
    button: { label: 'Set a new password', address },
    ending: 'If it was not you, delete this mail: your password stays as it is.',
  }),
};
