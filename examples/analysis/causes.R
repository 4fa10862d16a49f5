# Prints why every Scenario of a Run differs from its baseline, as the report does:
#   ./http-ae export RUN --format csv --output visits.csv
#   Rscript examples/analysis/causes.R visits.csv BASELINE [base|viewport|total]
# Causes: docs/causes.md. Needs no package.
arguments <- commandArgs(trailingOnly = TRUE)
visits <- read.csv(arguments[1], check.names = FALSE, na.strings = "", colClasses = c(warm_up = "character", excluded = "character"))
baseline <- arguments[2]
latency <- if (length(arguments) > 2) arguments[3] else "total"
columns <- grep(sprintf("^%s_cause_", latency), names(visits), value = TRUE)

counted <- subset(visits, warm_up == "false" & round_state == "completed" & repetition > 0 & excluded == "false" & status == "ok")
counted <- counted[!is.na(counted[[columns[1]]]), ]

# One value per Block and page, then the difference of each to the baseline's in the same Block.
pages <- aggregate(counted[columns], by = counted[c("scenario", "block", "user_agent", "url")], FUN = mean)
pairs <- merge(pages, pages[pages$scenario == baseline, ], by = c("block", "user_agent", "url"), suffixes = c("", "_baseline"))

for (scenario in setdiff(unique(visits$scenario), baseline)) {
  own <- pairs[pairs$scenario == scenario, ]
  page <- interaction(own$user_agent, own$url, drop = TRUE)
  # One value per Block. A page that is missing in a Block counts there with its own mean, moved as the others are.
  blocks <- sapply(columns, function(column) {
    difference <- own[[column]] - own[[paste0(column, "_baseline")]]
    means <- ave(difference, page)
    mean(tapply(difference, page, mean)) + tapply(difference - means, own$block, mean)
  })
  present <- columns[apply(blocks != 0, 2, any)]
  # All intervals hold together.
  confidence <- 1 - 0.05 / length(present)
  for (column in present) {
    interval <- t.test(blocks[, column], conf.level = confidence)$conf.int
    cat(sprintf("%s: %s %.3f ms (%.3f to %.3f)\n", scenario, column, mean(blocks[, column]), interval[1], interval[2]))
  }
  cat(sprintf("%s: sum %.3f ms\n", scenario, sum(colMeans(blocks))))
}
