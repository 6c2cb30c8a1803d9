/* SPDX-License-Identifier: BSD-3-Clause
 *
 * class_weights.h - factors of the sample weights, one per class.
 *
 * They are given as text: LABEL=W,LABEL=W,... with a weight of 0 or more for each label,
 * and 1 for labels that are not listed; or as the word balanced, for S/(K S_k), where S_k
 * is the sum of the sample weights of class k, S the sum of all, and K the number of
 * classes. Balanced classes have the same total weight. A label is a number or the name
 * of a class, as in "not 3" of one label against all others. It may have commas, but not
 * after what looks like LABEL=W. */
#ifndef SDCA_DATA_CLASS_WEIGHTS_H
#define SDCA_DATA_CLASS_WEIGHTS_H

#include "data/dataset.h"

/* Fails with SDCA_USAGE if the text is neither of the two. Local. */
sdca_status sdca_class_weights_check(const char *text);

/* Multiply the weights of a draft, whose labels are encoded, by those of the classes, and
 * add the text's meaning to its fingerprint, which is that of all ranks. Fails, in a
 * sentence that calls the data set name, with SDCA_DATA on a label that is no class, and
 * with SDCA_USAGE if a class has two weights or all classes have weight 0. Collective. */
sdca_status sdca_class_weights_apply(MPI_Comm comm, const char *text, const char *name,
                                     sdca_dataset *draft);

#endif
