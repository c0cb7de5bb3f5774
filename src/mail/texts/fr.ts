import type { MailTexts } from './mail-texts.js';
import { countOf, onlyTask, taskMail } from './task-lists.js';

export const fr: MailTexts = {
  invitation: ({ name, login, address, place }) => ({
    subject: `Votre compte sur ${place}`,
    greeting: `Bonjour ${name},`,
    paragraphs: [
      `Vous recevez une invitation à rejoindre ${place}. Votre identifiant est ${login}.`,
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
      'Ouvrez ce lien pour le définir. Le lien ne sert qu’une fois et reste valable 30 minutes. Le nouveau mot de passe met fin à toutes les sessions et clés d’API du compte et le dissocie du compte de votre organisation.',
    ],
    button: { label: 'Définir un nouveau mot de passe', address },
    ending:
      'Si ce n’était pas vous, supprimez ce message\u00a0: votre mot de passe reste inchangé.',
  }),
  absence: ({ name, place, substitute, start, end, application, address }) => ({
    subject: `${substitute} vous remplace sur ${place}`,
    greeting: `Bonjour ${name},`,
    paragraphs: [
      `Une absence a été saisie ou modifiée pour vous sur ${place}\u00a0: du ${start} au ${end}, ${substitute} vous remplace.`,
      application === null
        ? `Pendant ce temps, ${substitute} voit vos tâches ouvertes et les traite pour vous.`
        : `Pendant ce temps, ${substitute} voit vos tâches ouvertes dans ${application} et les traite pour vous.`,
    ],
    button: { label: 'Ouvrir mes absences', address },
    ending:
      'Si ce n’est ni vous ni votre administrateur, mettez fin à l’absence et définissez un nouveau mot de passe\u00a0: quelqu’un connaît peut-être le vôtre.',
  }),
  digest: (values) =>
    taskMail(values, {
      subject: ({ place, parts: { overdue, today, new: added } }) => {
        const counts = [
          ...(overdue.count > 0 ? [`${overdue.count} en retard`] : []),
          ...(today.count > 0 ? [`${today.count} à échéance aujourd’hui`] : []),
          ...(added.count > 0
            ? [`${added.count} ${added.count > 1 ? 'nouvelles' : 'nouvelle'}`]
            : []),
        ];
        return `Vos tâches sur ${place}\u00a0: ${counts.join(', ')}`;
      },
      greeting: (name) => `Bonjour ${name},`,
      lead: 'Ces tâches vous attendent.',
      headings: { overdue: 'En retard', today: 'À échéance aujourd’hui', new: 'Nouvelles' },
      due: (moment) => `échéance le ${moment}`,
      more: (count) => `et ${count} de plus`,
      openInbox: 'Ouvrir mes tâches',
      ending:
        'Vous recevez ce message une fois par jour au plus, et seulement s’il y a du nouveau.',
      stop: 'Ne plus recevoir le récapitulatif du jour',
    }),
  reminder: (values) =>
    taskMail(values, {
      subject: ({ parts }) => {
        const only = onlyTask(values);
        if (!only) return `${countOf(values)} tâches en retard ou bientôt à échéance`;
        return `${parts.overdue.count > 0 ? 'En retard' : 'Bientôt à échéance'}\u00a0: ${only.title}`;
      },
      greeting: (name) => `Bonjour ${name},`,
      lead: 'Ces tâches vous sont attribuées.',
      headings: { overdue: 'En retard', 'due-soon': 'Bientôt à échéance' },
      due: (moment) => `échéance le ${moment}`,
      more: (count) => `et ${count} de plus`,
      openInbox: 'Ouvrir mes tâches',
      ending:
        'Une tâche donne lieu à deux rappels au plus\u00a0: avant son échéance et une fois en retard.',
      stop: 'Ne plus recevoir les rappels',
    }),
};
