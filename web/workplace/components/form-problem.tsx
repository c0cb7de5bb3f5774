import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLanguage } from '../translations/i18n.js';

/** An error of a form, which screen readers announce immediately. */
export function FormProblem({ text }: { text: ReactNode }) {
  return (
    <p role="alert" className="form-problem">
      {text !== undefined && (
        <>
          <CircleAlert aria-hidden /> {text}
        </>
      )}
    </p>
  );
}

/** The server's own words on a field, which are English on a page of any language (WCAG 3.1.2). */
export function ServerMessage({ message }: { message: string }) {
  const [before, after] = useLanguage().t('problem.field', { message: '\0' }).split('\0');
  return (
    <>
      {before}
      <span lang="en">{message}</span>
      {after}
    </>
  );
}
