import { Component, type ReactNode, useEffect, useRef } from 'react';
import { Alert, Box, Button, Card, CircularProgress, Stack, Typography } from '@mui/material';
import { ArrowLeft } from 'lucide-react';
import { Link, NavigationType, useLocation, useNavigationType } from 'react-router';
import { withName } from '../../theme/branding.js';
import { type Texts, useTexts } from '../translations/i18n.js';
import { explainAny } from '../components/problems.js';

/** The path of the last heading. The first page does not take the focus from the browser. */
let lastPath: string | undefined;

/** A page: its heading, its actions, and the way back. */
export function Page({
  title,
  lead,
  actions,
  back,
  children,
  narrow = false,
}: {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  back?: { to: string; label: string };
  children: ReactNode;
  narrow?: boolean;
}) {
  const texts = useTexts();
  useEffect(() => {
    document.title = withName(texts('page.title', { page: title }));
  }, [texts, title]);
  const heading = useRef<HTMLHeadingElement>(null);
  const { pathname } = useLocation();
  const isReturn = useNavigationType() === NavigationType.Pop;
  // A new page starts at its top, also for keyboard users.
  useEffect(() => {
    if (lastPath !== undefined && lastPath !== pathname) {
      heading.current?.focus({ preventScroll: true });
      if (!isReturn) window.scrollTo(0, 0);
    }
    lastPath = pathname;
  }, [pathname, isReturn]);
  return (
    <Box sx={{ p: { xs: 2, md: 3.5 }, maxWidth: narrow ? 1040 : 1500, mx: 'auto' }}>
      <Stack
        direction="row"
        useFlexGap
        spacing={1.5}
        sx={{ flexWrap: 'wrap', alignItems: 'center', mb: 2.5 }}
      >
        <Box sx={{ flex: '1 1 auto', minWidth: 0 }}>
          {back && (
            <Button
              component={Link}
              to={back.to}
              size="small"
              startIcon={<ArrowLeft size={16} aria-hidden />}
              sx={{ ml: -0.75, mb: 0.5, color: 'text.secondary' }}
            >
              {back.label}
            </Button>
          )}
          <Typography ref={heading} variant="h1" tabIndex={-1} sx={{ overflowWrap: 'anywhere' }}>
            {title}
          </Typography>
          {lead !== undefined && (
            <Typography color="textSecondary" sx={{ mt: 0.5, maxWidth: '70ch' }}>
              {lead}
            </Typography>
          )}
        </Box>
        <Stack direction="row" useFlexGap spacing={1} sx={{ flexWrap: 'wrap' }}>
          {actions}
        </Stack>
      </Stack>
      {children}
    </Box>
  );
}

/** A part of a page under its own heading. */
export function Section({
  title,
  lead,
  actions,
  children,
}: {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Card component="section" aria-label={title} sx={{ p: { xs: 2, sm: 2.75 }, mb: 2.5 }}>
      <Stack
        direction="row"
        useFlexGap
        spacing={1}
        sx={{ flexWrap: 'wrap', alignItems: 'center', mb: 2 }}
      >
        <Box sx={{ flex: '1 1 auto' }}>
          <Typography variant="h2">{title}</Typography>
          {lead !== undefined && (
            <Typography variant="body2" color="textSecondary" sx={{ mt: 0.25 }}>
              {lead}
            </Typography>
          )}
        </Box>
        {actions}
      </Stack>
      {children}
    </Card>
  );
}

/** A progress indicator, or the error of a load that failed. */
export function Pending({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const texts = useTexts();
  if (error === null || error === undefined)
    return (
      <Box sx={{ display: 'grid', placeContent: 'center', minHeight: 160 }}>
        <CircularProgress aria-label={texts('loading')} />
      </Box>
    );
  const retry = onRetry && (
    <Button color="inherit" size="small" onClick={onRetry}>
      {texts('retry')}
    </Button>
  );
  return (
    <Alert severity="error" action={retry}>
      {explainAny(error, texts)}
    </Alert>
  );
}

export function MissingPage() {
  const texts = useTexts();
  return (
    <Page title={texts('missing.title')} lead={texts('missing.text')}>
      <Button component={Link} to="/" variant="contained">
        {texts('missing.home')}
      </Button>
    </Page>
  );
}

/** Instead of a page that one may not see. */
export function DeniedPage() {
  const texts = useTexts();
  return (
    <Page title={texts('denied.title')} lead={texts('denied.text')}>
      <Button component={Link} to="/" variant="contained">
        {texts('missing.home')}
      </Button>
    </Page>
  );
}

interface BoundaryProps {
  texts: Texts;
  children: ReactNode;
}

/** Contains the failure of a page, so that the menu stays usable. */
export class Boundary extends Component<BoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    const { texts, children } = this.props;
    if (!this.state.hasFailed) return children;
    return (
      <Page title={texts('problem.title')} lead={texts('problem.page')}>
        <Button variant="contained" onClick={() => location.reload()}>
          {texts('retry')}
        </Button>
      </Page>
    );
  }
}
