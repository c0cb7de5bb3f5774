import type { MailTexts } from './mail-texts.js';

export const fr: MailTexts = {
  invitation: ({ name, login, address, place }) => ({
    subject: `Votre compte sur ${place}`,
    greeting: `Bonjour ${name},`,
    paragraphs: [
      `Vous êtes invité(e) sur ${place}. Votre identifiant est ${login}.`,
      'Ouvrez ce lien et choisissez un mot de passe. Le lien ne sert qu’une fois et reste valable 72 heures.',
    ],
    button: { label: 'Choisir un mot de passe', address },
    ending:
      'Si vous n’attendiez pas ce message, adressez-vous à l’administrateur de votre organisation.',
  }),
  'password-reset': ({ name, login, address, place }) => ({
    subject: `Un nouveau mot de passe pour ${place}`,
    greeting: `Bonjour ${name},`,
    paragraphs: [
      `Un nouveau mot de passe a été demandé pour votre compte ${login} sur ${place}.`,
      'Ouvrez ce lien pour le définir. Le lien ne sert qu’une fois et reste valable 30 minutes. Il met fin à toutes les sessions et clés d’API du compte.',
    ],
    button: { label: 'Définir un nouveau mot de passe', address },
    ending: 'Si ce n’était pas vous, supprimez ce message : votre mot de passe reste inchangé.',
  }),
};
