import type { MailTexts } from './mail-texts.js';

export const en: MailTexts = {
  invitation: ({ name, login, address, place }) => ({
    subject: `Your account at ${place}`,
    greeting: `Hello ${name},`,
    paragraphs: [
      `You are invited to ${place}. Your login is ${login}.`,
      'Open this link and choose a password. The link works once, and for 72 hours.',
    ],
    button: { label: 'Choose a password', address },
    ending: 'If you did not expect this mail, ask the administrator of your organization.',
  }),
  'password-reset': ({ name, login, address, place }) => ({
    subject: `A new password for ${place}`,
    greeting: `Hello ${name},`,
    paragraphs: [
      `Somebody asked for a new password for your account ${login} at ${place}.`,
      'Open this link and set one. The link works once, and for 30 minutes. It ends all sessions and API keys of the account.',
    ],
    button: { label: 'Set a new password', address },
    ending: 'If it was not you, delete this mail: your password stays as it is.',
  }),
};
