import {
  Button,
  createTheme,
  type CSSVariablesResolver,
  Input,
  Modal,
  ModalHeader,
  Notification,
  Table,
  Tooltip,
} from '@mantine/core';

/** The one accent colour. It stands for actions only, and is none of the Scenario colours. */
const iris = [
  '#f3f1fd',
  '#e3dffa',
  '#c5bdf2',
  '#a598ea',
  '#8a79e3',
  '#7965df',
  '#6b54d3',
  '#5a45b8',
  '#4d3b9c',
  '#3f3082',
] as const;

/** Dark enough for every Scenario colour to reach a contrast of 3:1 on it. */
const dark = [
  '#d5d7dc',
  '#b8bcc4',
  '#979ca6',
  '#646974',
  '#3d4149',
  '#2e3138',
  '#24272d',
  '#191b1f',
  '#141619',
  '#0f1113',
] as const;

export const theme = createTheme({
  colors: { iris, dark },
  primaryColor: 'iris',
  // White on it reaches a contrast of 4.5:1 in both schemes.
  primaryShade: 6,
  defaultRadius: 'md',
  respectReducedMotion: true,
  cursorType: 'pointer',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", "Liberation Mono", Menlo, monospace',
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.3' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.4' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  components: {
    Button: Button.extend({ defaultProps: { fw: 550 } }),
    Input: Input.extend({ styles: { input: { textOverflow: 'ellipsis' } } }),
    Modal: Modal.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
    // As a header it would be one of the page.
    ModalHeader: ModalHeader.extend({ defaultProps: { role: 'presentation' } }),
    Table: Table.extend({ defaultProps: { verticalSpacing: 8, horizontalSpacing: 'sm', tabularNums: true } }),
    Tooltip: Tooltip.extend({
      defaultProps: {
        multiline: true,
        maw: 340,
        withArrow: true,
        openDelay: 150,
        events: { hover: true, focus: true, touch: true },
      },
    }),
  },
});

/** Mantine's dimmed and red texts miss a contrast of 4.5:1 on white. */
export const resolveColours: CSSVariablesResolver = () => ({
  variables: { '--mantine-color-red-filled': '#d92b2b', '--mantine-color-red-filled-hover': '#b92222' },
  light: {
    '--mantine-color-dimmed': '#5b626d',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-anchor': iris[6],
    '--mantine-color-iris-light-color': iris[6],
    '--mantine-color-red-light': '#fdeeee',
    '--mantine-color-red-light-color': '#b42323',
    '--mantine-color-yellow-light': '#fdf6e0',
    '--mantine-color-yellow-light-color': '#7a5200',
    '--surface-raised': '#f7f7f9',
    '--hairline': '#e4e5ea',
  },
  dark: {
    '--mantine-color-error': '#ff8787',
    '--mantine-color-red-light': '#3a2226',
    '--mantine-color-red-light-color': '#ffa8a8',
    '--mantine-color-yellow-light': '#352e1b',
    '--mantine-color-yellow-light-color': '#f2cf7c',
    // A link is one colour, as a text and as a button.
    '--mantine-color-anchor': iris[2],
    '--mantine-color-iris-outline': iris[3],
    '--mantine-color-iris-light-color': iris[2],
    '--surface-raised': '#202329',
    '--hairline': '#33373f',
  },
});
