import type { MailTexts } from './mail-texts.js';
import { countOf, onlyTask, taskMail } from './task-lists.js';

export const de: MailTexts = {
  invitation: ({ name, login, address, place }) => ({
    subject: `Ihr Konto bei ${place}`,
    greeting: `Guten Tag ${name},`,
    paragraphs: [
      `Sie sind zu ${place} eingeladen. Ihr Anmeldename ist ${login}.`,
      'Öffnen Sie diesen Link und wählen Sie ein Passwort. Der Link gilt einmal und 72 Stunden lang.',
    ],
    button: { label: 'Passwort wählen', address },
    ending:
      'Wenn Sie diese Nachricht nicht erwartet haben, fragen Sie die Administration Ihrer Organisation.',
  }),
  'password-reset': ({ name, login, address, place }) => ({
    subject: `Ein neues Passwort für ${place}`,
    greeting: `Guten Tag ${name},`,
    paragraphs: [
      `Für Ihr Konto ${login} bei ${place} wurde ein neues Passwort angefordert.`,
      'Öffnen Sie diesen Link und legen Sie es fest. Der Link gilt einmal und 30 Minuten lang. Das neue Passwort beendet alle Sitzungen und API-Schlüssel des Kontos und die Verknüpfung mit dem Konto Ihrer Organisation.',
    ],
    button: { label: 'Neues Passwort festlegen', address },
    ending:
      'Wenn Sie das nicht waren, löschen Sie diese Nachricht: Ihr Passwort bleibt, wie es ist.',
  }),
  absence: ({ name, place, substitute, start, end, application, address }) => ({
    subject: `${substitute} vertritt Sie bei ${place}`,
    greeting: `Guten Tag ${name},`,
    paragraphs: [
      `Für Sie wurde bei ${place} eine Abwesenheit eingetragen oder geändert: Vom ${start} bis zum ${end} vertritt Sie ${substitute}.`,
      application === null
        ? `${substitute} sieht in dieser Zeit Ihre offenen Aufgaben und entscheidet sie für Sie.`
        : `${substitute} sieht in dieser Zeit Ihre offenen Aufgaben in ${application} und entscheidet sie für Sie.`,
    ],
    button: { label: 'Meine Abwesenheiten öffnen', address },
    ending:
      'Wenn das weder Sie noch Ihre Administration waren, beenden Sie die Abwesenheit und legen Sie ein neues Passwort fest: Vielleicht kennt jemand anders Ihres.',
  }),
  digest: (values) =>
    taskMail(values, {
      subject: ({ place, parts: { overdue, today, new: added } }) => {
        const counts = [
          ...(overdue.count > 0 ? [`${overdue.count} überfällig`] : []),
          ...(today.count > 0 ? [`${today.count} heute fällig`] : []),
          ...(added.count > 0 ? [`${added.count} neu`] : []),
        ];
        return `Ihre Aufgaben bei ${place}: ${counts.join(', ')}`;
      },
      greeting: (name) => `Guten Tag ${name},`,
      lead: 'Diese Aufgaben warten auf Sie.',
      headings: { overdue: 'Überfällig', today: 'Heute fällig', new: 'Neu' },
      due: (moment) => `fällig am ${moment}`,
      more: (count) => `und ${count} weitere`,
      openInbox: 'Meine Aufgaben öffnen',
      ending:
        'Sie erhalten diese Nachricht höchstens einmal am Tag, und nur wenn es etwas zu berichten gibt.',
      stop: 'Tägliche Übersicht abbestellen',
    }),
  reminder: (values) =>
    taskMail(values, {
      subject: ({ parts }) => {
        const only = onlyTask(values);
        if (!only) return `${countOf(values)} Aufgaben sind überfällig oder bald fällig`;
        return `${parts.overdue.count > 0 ? 'Überfällig' : 'Bald fällig'}: ${only.title}`;
      },
      greeting: (name) => `Guten Tag ${name},`,
      lead: 'Diese Aufgaben sind Ihnen zugewiesen.',
      headings: { overdue: 'Überfällig', 'due-soon': 'Bald fällig' },
      due: (moment) => `fällig am ${moment}`,
      more: (count) => `und ${count} weitere`,
      openInbox: 'Meine Aufgaben öffnen',
      ending:
        'Zu einer Aufgabe gibt es höchstens zwei Erinnerungen: vor der Fälligkeit und wenn sie überfällig ist.',
      stop: 'Erinnerungen abbestellen',
    }),
};
