#include "tests/support/gin_oracle.h"

#include <algorithm>
#include <cmath>

namespace twofold::testing {
namespace {

using Row = std::vector<double>;
using compute::GinNetShape;

Row times(const Row& x, const double* weight, const double* bias, std::size_t outputs) {
  Row y(outputs);
  for (std::size_t j = 0; j < outputs; ++j) {
    y[j] = bias[j];
    for (std::size_t i = 0; i < x.size(); ++i) y[j] += x[i] * weight[i * outputs + j];
  }
  return y;
}

// All nodes of the batch, one after the other.
void normalize_and_relu(const GinNetShape& shape, const GinNetShape::Map& map, std::vector<Row>& rows,
                        std::vector<double>& parameters, bool trains) {
  const double count = static_cast<double>(rows.size());
  for (std::size_t c = 0; map.has_norm() && c < shape.width && !rows.empty(); ++c) {
    double mean = parameters[map.mean + c], variance = parameters[map.variance + c];
    if (trains) {
      mean = variance = 0;
      for (const Row& row : rows) mean += row[c] / count;
      for (const Row& row : rows) variance += (row[c] - mean) * (row[c] - mean) / count;
      const double part = shape.norm_momentum;
      parameters[map.mean + c] = (1 - part) * parameters[map.mean + c] + part * mean;
      const double unbiased = count > 1 ? variance * count / (count - 1) : variance;
      parameters[map.variance + c] = (1 - part) * parameters[map.variance + c] + part * unbiased;
    }
    for (Row& row : rows)
      row[c] = (row[c] - mean) / std::sqrt(variance + shape.norm_epsilon) * parameters[map.scale + c] +
               parameters[map.shift + c];
  }
  for (Row& row : rows)
    for (double& value : row) value = std::max(value, 0.0);
}

Row pooled(compute::Pooling pooling, const std::vector<Row>& rows, std::size_t first, std::size_t n,
           std::size_t width) {
  Row result(width, 0);
  for (std::size_t c = 0; c < width && n > 0; ++c) {
    Row values;
    for (std::size_t v = 0; v < n; ++v) values.push_back(rows[first + v][c]);
    double sum = 0;
    for (const double value : values) sum += value;
    switch (pooling) {
      case compute::Pooling::kSum:
        result[c] = sum;
        break;
      case compute::Pooling::kMax:
        result[c] = *std::max_element(values.begin(), values.end());
        break;
      case compute::Pooling::kMin:
        result[c] = *std::min_element(values.begin(), values.end());
        break;
      default:
        result[c] = sum / static_cast<double>(n);
    }
  }
  return result;
}

double loss_of(const GinNetShape& shape, const Row& output, const GinGraph& graph) {
  double loss = 0;
  switch (shape.loss) {
    case compute::Loss::kBinary:
      return std::log1p(std::exp(graph.cls == 1 ? -output[0] : output[0]));
    case compute::Loss::kCross:
      for (const double value : output) loss += std::exp(value - output[graph.cls]);
      return std::log(loss);
    default:
      for (std::size_t i = 0; i < output.size(); ++i) {
        const double away = output[i] - graph.target[i];
        loss += (shape.loss == compute::Loss::kSquared ? away * away : std::fabs(away)) /
                static_cast<double>(output.size());
      }
      return loss;
  }
}

}  // namespace

GinAnswer plain_gin(const GinNetShape& shape, const std::vector<double>& parameters,
                    const std::vector<GinGraph>& graphs, std::size_t columns, bool trains) {
  GinAnswer answer;
  answer.parameters = parameters;
  answer.outputs.assign(graphs.size(), Row(shape.num_outputs, 0));
  answer.vectors.resize(graphs.size());
  std::vector<Row> rows;
  for (const GinGraph& g : graphs)
    for (std::size_t v = 0; v < g.graph.num_nodes(); ++v)
      rows.emplace_back(g.features.begin() + static_cast<std::ptrdiff_t>(v * columns),
                        g.features.begin() + static_cast<std::ptrdiff_t>((v + 1) * columns));
  const double* const p = parameters.data();
  for (std::size_t t = 0; t < shape.layers.size(); ++t) {
    const GinNetShape::Layer& layer = shape.layers[t];
    if (t > 0) {
      std::vector<Row> sums = rows;
      std::size_t first = 0;
      for (const GinGraph& g : graphs) {
        for (Node v = 0; v < g.graph.num_nodes(); ++v)
          for (std::size_t c = 0; c < shape.width; ++c) {
            double& sum = sums[first + v][c];
            if (layer.eps != GinNetShape::kNone) sum *= 1 + p[layer.eps];
            for (const Node u : g.graph.neighbors(v)) sum += rows[first + u][c];
          }
        first += g.graph.num_nodes();
      }
      rows = sums;
    }
    for (const GinNetShape::Map& map : layer.maps) {
      for (Row& row : rows) row = times(row, p + map.weight, p + map.bias, shape.width);
      normalize_and_relu(shape, map, rows, answer.parameters, trains);
    }
    std::size_t first = 0;
    for (std::size_t g = 0; g < graphs.size(); ++g) {
      const std::size_t n = graphs[g].graph.num_nodes();
      const Row vector = pooled(shape.pooling, rows, first, n, shape.width);
      first += n;
      answer.vectors[g].insert(answer.vectors[g].end(), vector.begin(), vector.end());
      const Row more = times(vector, p + layer.readout_weight, p + layer.readout_bias, shape.num_outputs);
      for (std::size_t i = 0; i < more.size(); ++i) answer.outputs[g][i] += more[i];
    }
  }
  for (std::size_t g = 0; g < graphs.size(); ++g)
    answer.loss += graphs[g].weight * loss_of(shape, answer.outputs[g], graphs[g]);
  return answer;
}

}  // namespace twofold::testing
