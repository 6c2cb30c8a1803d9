/* SPDX-License-Identifier: BSD-3-Clause
 *
 * assets.h - files of this folder that CMakeLists.txt embeds in the program as text. */
#ifndef SDCA_CLI_REPORT_ASSETS_H
#define SDCA_CLI_REPORT_ASSETS_H

extern const char report_css[];
extern const char report_js[];
extern const char plot_look_gp[];
extern const char plot_legend_gp[];
extern const char plot_dark_svg[];

#endif
