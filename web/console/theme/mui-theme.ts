import type { RaThemeOptions } from 'react-admin';

/** The colours of web/theme/theme.css that Material UI needs, by their custom properties. */
const PROPERTIES = {
  page: '--page',
  card: '--card',
  field: '--field',
  hover: '--hover',
  line: '--line',
  lineStrong: '--line-strong',
  text: '--text',
  muted: '--muted',
  accent: '--accent',
  accentFill: '--accent-fill',
  accentHover: '--accent-hover',
  disabled: '--disabled',
  accentSoft: '--accent-soft',
  danger: '--danger',
  success: '--success',
  warning: '--warning',
};

export type Mode = 'light' | 'dark';

type Color = Record<keyof typeof PROPERTIES, string>;

/** The colours as the browser computes them; Material UI calculates with them and reads no custom property. */
function colorsOf(mode: Mode): Color {
  const probe = document.body.appendChild(document.createElement('span'));
  probe.style.colorScheme = mode;
  // During a transition, the browser would still report the former colour.
  probe.style.transitionProperty = 'none';
  const computed = Object.entries(PROPERTIES).map(([name, property]) => {
    probe.style.color = `var(${property})`;
    return [name, inRgb(getComputedStyle(probe).color)];
  });
  probe.remove();
  return Object.fromEntries(computed) as Color;
}

const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!;

/** A colour in a notation that Material UI reads; browsers compute mixed colours in others. */
function inRgb(color: string): string {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = color;
  canvas.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha = 255] = canvas.getImageData(0, 0, 1, 1).data;
  return `rgba(${red}, ${green}, ${blue}, ${(alpha / 255).toFixed(2)})`;
}

/** An attribute of a box that belongs to the input inside. */
interface Labelled {
  'aria-label'?: string;
}

type Components = NonNullable<RaThemeOptions['components']>;

/** No transitions, so that closed elements disappear at once instead of after an invisible animation. */
const MOTIONLESS: RaThemeOptions['transitions'] = {
  create: () => 'none',
  duration: {
    shortest: 0,
    shorter: 0,
    short: 0,
    standard: 0,
    complex: 0,
    enteringScreen: 0,
    leavingScreen: 0,
  },
  getAutoHeightDuration: () => 0,
};

/** The console's theme, light or dark, with animations unless the person prefers reduced motion. */
export function themeFor(mode: Mode): RaThemeOptions {
  const color = colorsOf(mode);
  return {
    ...(matchMedia('(prefers-reduced-motion: reduce)').matches && { transitions: MOTIONLESS }),
    palette: paletteOf(mode, color),
    shape: { borderRadius: 9 },
    typography: {
      fontFamily: "'Inter Variable', system-ui, sans-serif",
      fontSize: 14,
      h1: { fontSize: '1.45rem', fontWeight: 680, letterSpacing: '-0.02em', lineHeight: 1.25 },
      h2: { fontSize: '1rem', fontWeight: 640, letterSpacing: '-0.01em' },
      h6: { fontSize: '1.05rem', fontWeight: 640 },
      button: { textTransform: 'none', fontWeight: 570 },
    },
    components: {
      ...surfacesOf(color),
      ...inputsOf(color),
      ...tablesOf(color),
    },
  };
}

function paletteOf(mode: Mode, color: Color): RaThemeOptions['palette'] {
  return {
    mode,
    primary: { main: color.accent, contrastText: mode === 'light' ? '#fff' : '#10131c' },
    secondary: { main: color.card, contrastText: color.text },
    error: { main: color.danger },
    success: { main: color.success },
    warning: { main: color.warning },
    background: { default: color.page, paper: color.card },
    text: { primary: color.text, secondary: color.muted },
    divider: color.line,
    action: { hover: color.hover, selected: color.accentSoft, disabled: color.disabled },
  };
}

/** Cards, bars, and overlays. */
function surfacesOf(color: Color): Components {
  // A shadow alone does not distinguish a menu from a dark card.
  const edge = { border: `1px solid ${color.line}` };
  return {
    MuiPaper: { styleOverrides: { root: { backgroundImage: 'none' } } },
    MuiCard: {
      defaultProps: { elevation: 0 },
      styleOverrides: {
        root: { border: `1px solid ${color.line}`, borderRadius: 14, overflow: 'visible' },
      },
    },
    MuiAppBar: {
      defaultProps: { elevation: 0 },
      styleOverrides: {
        root: {
          background: color.card,
          color: color.text,
          borderBottom: `1px solid ${color.line}`,
        },
      },
    },
    MuiTooltip: {
      styleOverrides: { tooltip: { fontSize: '0.78rem', background: '#2a2f3a', color: '#fff' } },
    },
    MuiDialog: { styleOverrides: { paper: { borderRadius: 16, ...edge } } },
    MuiPopover: { styleOverrides: { paper: edge } },
    MuiAutocomplete: { styleOverrides: { paper: edge } },
    MuiAlert: { styleOverrides: { root: { borderRadius: 10, alignItems: 'center' } } },
  };
}

/** Buttons, fields and checkboxes. */
function inputsOf(color: Color): Components {
  return {
    // The text below a disabled field says why it is disabled.
    MuiFormHelperText: { styleOverrides: { root: { '&.Mui-disabled': { color: color.muted } } } },
    MuiButton: {
      defaultProps: { disableElevation: true },
      styleOverrides: {
        root: {
          variants: [
            {
              props: { variant: 'contained', color: 'primary' },
              style: {
                '&:not(.Mui-disabled)': { background: color.accentFill, color: '#fff' },
                '&:not(.Mui-disabled):hover': { background: color.accentHover },
              },
            },
          ],
        },
      },
    },
    MuiTextField: { defaultProps: { variant: 'outlined', size: 'small' } },
    MuiFormControl: { defaultProps: { variant: 'outlined', size: 'small' } },
    MuiOutlinedInput: {
      styleOverrides: {
        root: { background: color.field },
        notchedOutline: { borderColor: color.lineStrong },
      },
    },
    MuiCheckbox: {
      defaultProps: {
        size: 'small',
        // A label on the box around the input is lost to screen readers.
        slotProps: {
          root: { 'aria-label': undefined } as object,
          input: (owner: unknown) => ({ 'aria-label': (owner as Labelled)['aria-label'] }),
        },
      },
    },
    MuiChip: { styleOverrides: { root: { fontWeight: 550 } } },
  };
}

/** Tables of records, and the toolbar of their bulk actions. */
function tablesOf(color: Color): Components {
  return {
    MuiTableCell: {
      styleOverrides: {
        root: { borderColor: color.line, padding: '9px 14px' },
        head: {
          fontSize: '0.8rem',
          fontWeight: 600,
          color: color.muted,
          background: color.card,
          whiteSpace: 'nowrap',
        },
      },
    },
    MuiTableSortLabel: {
      styleOverrides: { root: { '&.Mui-active': { color: color.text } } },
    },
    MuiTableRow: { styleOverrides: { root: { '&:last-child td': { borderBottom: 0 } } } },
    RaBulkActionsToolbar: {
      styleOverrides: {
        root: {
          // Places it above the rows instead of over the filters.
          '& .RaBulkActionsToolbar-toolbar': {
            position: 'static',
            transform: 'none',
            borderRadius: 0,
            background: color.accentSoft,
          },
          // Hidden, because a collapsed one would still be reachable by Tab.
          '& .RaBulkActionsToolbar-collapsed': { visibility: 'hidden' },
        },
      },
    },
  };
}
