import type { MailTexts } from './mail-texts.js';
import { countOf, onlyTask, taskMail } from './task-lists.js';

export const en: MailTexts = {
  invitation: ({ name, login, address, place }) => ({
    subject: `Your account at ${place}`,
    greeting: `Hello ${name},`,
    paragraphs: [
      `You are invited to ${place}. Your login is ${login}.`,
      'Open this link and choose a password. The link works once, and for 72 hours.',
    ],
    button: { label: 'Choose a password', address },
    ending: 'If you did not expect this e-mail, ask the administrator of your organization.',
  }),
  'password-reset': ({ name, login, address, place }) => ({
    subject: `A new password for ${place}`,
    greeting: `Hello ${name},`,
    paragraphs: [
      `We received a request for a new password for your account ${login} at ${place}.`,
      'Open this link and set one. The link works once, and for 30 minutes. The new password ends all sessions and API keys of the account, and disconnects it from the account of your organization.',
    ],
    button: { label: 'Set a new password', address },
    ending: 'If it was not you, delete this e-mail: your password stays as it is.',
  }),
  absence: ({ name, place, substitute, start, end, application, address }) => ({
    subject: `${substitute} stands in for you at ${place}`,
    greeting: `Hello ${name},`,
    paragraphs: [
      `An absence of yours was entered or changed at ${place}: from ${start} to ${end}, ${substitute} stands in for you.`,
      application === null
        ? `${substitute} sees your open tasks meanwhile, and decides them for you.`
        : `${substitute} sees your open tasks in ${application} meanwhile, and decides them for you.`,
    ],
    button: { label: 'Open my absences', address },
    ending:
      'If neither you nor your administrator did this, end the absence and set a new password: another person may know yours.',
  }),
  digest: (values) =>
    taskMail(values, {
      subject: ({ place, parts: { overdue, today, new: added } }) => {
        const counts = [
          ...(overdue.count > 0 ? [`${overdue.count} overdue`] : []),
          ...(today.count > 0 ? [`${today.count} due today`] : []),
          ...(added.count > 0 ? [`${added.count} new`] : []),
        ];
        return `Your tasks at ${place}: ${counts.join(', ')}`;
      },
      greeting: (name) => `Hello ${name},`,
      lead: 'These tasks are waiting for you.',
      headings: { overdue: 'Overdue', today: 'Due today', new: 'New' },
      due: (moment) => `due ${moment}`,
      more: (count) => `and ${count} more`,
      openInbox: 'Open my tasks',
      ending: 'You get this e-mail at most once a day, and only when there is something to tell.',
      stop: 'Stop the daily digest',
    }),
  reminder: (values) =>
    taskMail(values, {
      subject: ({ parts }) => {
        const only = onlyTask(values);
        if (!only) return `${countOf(values)} tasks are overdue or due soon`;
        return `${parts.overdue.count > 0 ? 'Overdue' : 'Due soon'}: ${only.title}`;
      },
      greeting: (name) => `Hello ${name},`,
      lead: 'These tasks are assigned to you.',
      headings: { overdue: 'Overdue', 'due-soon': 'Due soon' },
      due: (moment) => `due ${moment}`,
      more: (count) => `and ${count} more`,
      openInbox: 'Open my tasks',
      ending: 'A task has at most two reminders: before it is due, and once it is overdue.',
      stop: 'Stop the reminders',
    }),
};
