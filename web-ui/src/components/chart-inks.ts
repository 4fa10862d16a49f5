/** What axes and lines of charts are drawn in. A canvas knows no CSS variables. */
export const chartInks = {
  light: { text: '#3d434c', line: '#e4e5ea' },
  dark: { text: '#b8bcc4', line: '#33373f' },
};
