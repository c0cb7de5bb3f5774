import type { AccountElements } from '../../account/account-elements.js';
import { Dialog } from '../components/dialog.js';
import { Problem } from '../components/empty.js';
import { FormProblem } from '../components/form-problem.js';
import { Skeleton } from '../components/ready.js';

/** The account components in the style of the workplace (workplace.css). */
export const accountElements: AccountElements = {
  Section: ({ title, lead, actions, children }) => (
    <section className="card" aria-label={title}>
      <h2>{title}</h2>
      {lead !== undefined && <p className="hint">{lead}</p>}
      {children}
      {actions}
    </section>
  ),
  Rows: ({ children }) => <ul className="rows">{children}</ul>,
  Row: ({ icon: Icon, title, details, action }) => (
    <li className="row">
      <Icon aria-hidden />
      <span>
        <strong>{title}</strong>
        <small>{details}</small>
      </span>
      {action}
    </li>
  ),
  Button: ({ icon: Icon, kind = 'plain', isSmall = false, ref, label, ...rest }) => {
    const { autoFocus, onClick, children } = rest;
    return (
      <button
        ref={ref}
        type="button"
        className={`button ${kind}${isSmall ? ' small' : ''}`}
        aria-label={label}
        autoFocus={autoFocus}
        onClick={onClick}
      >
        {Icon && !isSmall && <Icon aria-hidden />} {children}
      </button>
    );
  },
  IconButton: ({ icon: Icon, label, onClick }) => (
    <button className="icon-button" aria-label={label} onClick={onClick}>
      <Icon aria-hidden />
    </button>
  ),
  Chip: ({ text }) => <span className="chip done">{text}</span>,
  Hint: ({ children }) => <p className="hint">{children}</p>,
  Dialog: ({ title, isOpen, onClose, actions, children }) =>
    isOpen && (
      <Dialog title={title} onClose={onClose}>
        {children}
        <div className="buttons end">{actions}</div>
      </Dialog>
    ),
  Fault: ({ text }) => <FormProblem text={text} />,
  Pending: ({ problem, onRetry }) =>
    problem ? <Problem problem={problem} onRetry={onRetry} /> : <Skeleton />,
};
