# Compares every Scenario of a Run with its baseline, as the report does:
#   ./http-ae export RUN --format csv --output visits.csv
#   Rscript examples/analysis/compare.R visits.csv BASELINE [COLUMN]
# Columns: docs/data-dictionary.md. Needs no package.
arguments <- commandArgs(trailingOnly = TRUE)
# A Scenario may be named NA; a missing value is an empty cell.
visits <- read.csv(arguments[1], check.names = FALSE, na.strings = "", colClasses = c(warm_up = "character", excluded = "character"))
baseline <- arguments[2]
column <- if (length(arguments) > 2) arguments[3] else "total_ms"

# The Visits that count. A failed Visit has no latency, and is counted as a failure.
counted <- subset(visits, warm_up == "false" & round_state == "completed" & repetition > 0 & excluded == "false")
loaded <- counted[counted$status == "ok" & !is.na(counted[[column]]), ]
loaded$value <- loaded[[column]]

# One value per Block and page, then the logarithm of its ratio to the baseline's in the same Block.
pages <- aggregate(value ~ scenario + block + user_agent + url, data = loaded, FUN = mean)
pairs <- merge(pages, pages[pages$scenario == baseline, ], by = c("block", "user_agent", "url"), suffixes = c("", "_baseline"))
pairs$log_ratio <- log(pairs$value / pairs$value_baseline)

for (scenario in setdiff(unique(visits$scenario), baseline)) {
  # Pages of one Block depend on each other: they make one observation. It is their mean where none is missing; otherwise how much
  # those that are there differ from their own means, so that a Block in which the slowest page failed does not look fast.
  own <- pairs[pairs$scenario == scenario, ]
  page_means <- ave(own$log_ratio, own$user_agent, own$url)
  grand_mean <- mean(aggregate(log_ratio ~ user_agent + url, data = own, FUN = mean)$log_ratio)
  blocks <- grand_mean + tapply(own$log_ratio - page_means, own$block, mean)
  interval <- t.test(blocks)$conf.int
  failed <- mean(counted$status[counted$scenario == scenario] == "failed")
  cat(sprintf("%s: reduction %.4f (95 %% interval %.4f to %.4f), %d Blocks, %.1f %% of Visits failed\n",
              scenario, 1 - exp(mean(blocks)), 1 - exp(interval[2]), 1 - exp(interval[1]), length(blocks), 100 * failed))
}
